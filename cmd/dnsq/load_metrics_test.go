package main

import (
	"bufio"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/load/result"
)

// scrape returns the samples at an address, and which metrics have a type.
func scrape(t *testing.T, addr string) (samples map[string]float64, types map[string]string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	response, err := client.Get("http://" + addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%s, %q", response.Status, response.Header)
	}
	samples, types = map[string]float64{}, map[string]string{}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if words[0] == "#" {
			if words[1] == "TYPE" {
				types[words[2]] = words[3]
			}
			continue
		}
		if samples[words[0]], err = strconv.ParseFloat(words[1], 64); err != nil {
			t.Fatal(err)
		}
	}
	return samples, types
}

func served(t *testing.T, m *metrics) string {
	t.Helper()
	stop, bound, err := m.serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return bound
}

// Two seconds of two shards: counts are sums, and what is a state is that of the last second.
func TestMetrics(t *testing.T) {
	m := newMetrics()
	addr := served(t, m)
	for at := range 2 {
		for shard := range 2 {
			tick := result.NewTick(shard, at)
			n := uint64(1 + shard)
			tick.Target, tick.InFlight = 500*float64(1+at), 10*(1+at)
			tick.Sent, tick.Completed = 100*n, 3*n
			tick.Lost = result.Lost{ClientDrop: n, SendError: 2 * n, ICMP: 3 * n, Closed: 4 * n, Late: 5 * n, Timeout: 6 * n}
			tick.Unsent = result.Unsent{Behind: 7 * n, Window: 8 * n}
			tick.Strays = result.Strays{Late: n, Duplicate: 2 * n, Mismatched: 3 * n, Unsolicited: 4 * n, Malformed: 5 * n}
			result.Record(tick.Response, 2*time.Millisecond, int64(2*n))
			result.Record(tick.Response, 2*time.Second, int64(n))
			m.observe(tick)
		}
	}
	got, types := scrape(t, addr)
	want := map[string]float64{"queries_sent_total": 600, "queries_completed_total": 18, "in_flight": 40, "target_queries_per_second": 2000}
	for i, kind := range []string{"client_drop", "send_error", "icmp", "closed", "late", "timeout"} {
		want[`queries_lost_total{kind="`+kind+`"}`] = 6 * float64(i+1)
	}
	for i, kind := range []string{"late", "duplicate", "mismatched", "unsolicited", "malformed"} {
		want[`stray_answers_total{kind="`+kind+`"}`] = 6 * float64(i+1)
	}
	want[`queries_unsent_total{kind="behind"}`], want[`queries_unsent_total{kind="window"}`] = 42, 48
	for le, n := range map[string]float64{"1e-05": 0, "0.001": 0, "0.0025": 12, "1": 12, "2.5": 18, "50": 18, "+Inf": 18} {
		want[`response_seconds_bucket{le="`+le+`"}`] = n
	}
	want["response_seconds_count"] = 18
	for name, value := range want {
		if v, ok := got["dnsq_load_"+name]; !ok || v != value {
			t.Errorf("%s is %v (there: %t), want %v", name, v, ok, value)
		}
	}
	if sum := got["dnsq_load_response_seconds_sum"]; sum < 12.0 || sum > 12.05 {
		t.Errorf("%v s in all, want 12.024", sum)
	}
	if diff := cmp.Diff(map[string]string{
		"dnsq_load_queries_sent_total": "counter", "dnsq_load_queries_completed_total": "counter", "dnsq_load_queries_lost_total": "counter",
		"dnsq_load_queries_unsent_total": "counter", "dnsq_load_stray_answers_total": "counter", "dnsq_load_in_flight": "gauge",
		"dnsq_load_target_queries_per_second": "gauge", "dnsq_load_response_seconds": "histogram",
	}, types); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
}

// Before anything is sent all series are there, at 0: a rate over them needs the first value.
func TestMetricsEmpty(t *testing.T) {
	got, _ := scrape(t, served(t, newMetrics()))
	for name, v := range got {
		if v != 0 {
			t.Errorf("%s is %v", name, v)
		}
	}
	if len(got) != 15+2+21+3 {
		t.Errorf("%d series: %v", len(got), got)
	}
}

// A scrape in the middle of a tick is no race, and never sees less than one before.
func TestMetricsWhileObserved(t *testing.T) {
	m := newMetrics()
	addr := served(t, m)
	var observing sync.WaitGroup
	observing.Go(func() {
		for at := range 50 {
			tick := result.NewTick(0, at)
			tick.Sent, tick.Completed = 10, 10
			result.Record(tick.Response, time.Millisecond, 10)
			m.observe(tick)
		}
	})
	last := 0.0
	for range 5 {
		got, _ := scrape(t, addr)
		sent, count := got["dnsq_load_queries_sent_total"], got["dnsq_load_response_seconds_count"]
		if sent < last || sent != count {
			t.Errorf("%v sent after %v, %v response times", sent, last, count)
		}
		last = sent
	}
	observing.Wait()
	if got, _ := scrape(t, addr); got["dnsq_load_queries_sent_total"] != 500 {
		t.Errorf("%v sent, want 500", got["dnsq_load_queries_sent_total"])
	}
}

func TestMetricsServe(t *testing.T) {
	m := newMetrics()
	stop, bound, err := m.serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := newMetrics().serve(bound); err == nil || !strings.Contains(err.Error(), `cannot serve metrics at "`+bound+`", want address:port: `) {
		t.Errorf("a port that is taken: %v", err)
	}
	response, err := http.Get("http://" + bound + "/")
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	if response.StatusCode != http.StatusNotFound {
		t.Errorf("/: %s, want 404", response.Status)
	}
	stop()
	if _, err := http.Get("http://" + bound + "/metrics"); err == nil {
		t.Error("it is served after stop")
	}
	if _, _, err := m.serve("9100"); err == nil || !strings.Contains(err.Error(), `"9100", want address:port`) {
		t.Errorf("no port: %v", err)
	}
	http.DefaultClient.CloseIdleConnections()
}
