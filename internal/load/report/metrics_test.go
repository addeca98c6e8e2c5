package report_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/load/report"
	"github.com/dnsq/dnsq/internal/load/result"
)

// object is a line of dns-metrics as its readers see it.
type object map[string]any

func metrics(t *testing.T, r *result.Result) (lines []object) {
	t.Helper()
	var b strings.Builder
	if err := report.DNSMetrics(&b, r); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		var o object
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		lines = append(lines, o)
	}
	return lines
}

// The fields that the schema requires, and the kinds that it gives those which are there.
func (o object) check(t *testing.T) {
	t.Helper()
	required := map[string]string{
		"header": "runid schema_version generator generator_version stats_interval", "event": "runid msg", "stats_periodic": "runid since until", "stats_sum": "runid since until",
	}
	kind, _ := o["type"].(string)
	if required[kind] == "" {
		t.Errorf("type %q is none of the schema's", kind)
	}
	for _, key := range strings.Fields(required[kind]) {
		if _, ok := o[key]; !ok {
			t.Errorf("%s has no %s", kind, key)
		}
	}
	for key, value := range o {
		whole := slices.Contains(strings.Fields("schema_version time_units_per_sec since until queries responses timeouts interrupted unexpected discarded"), key)
		if f, ok := value.(float64); whole && (!ok || f != float64(int64(f))) {
			t.Errorf("%s: %s is %v, want an integer", kind, key, value)
		}
		if _, ok := value.(string); !ok && slices.Contains(strings.Fields("runid type generator generator_version msg msg_type"), key) {
			t.Errorf("%s: %s is %v, want a string", kind, key, value)
		}
	}
}

func TestDNSMetrics(t *testing.T) {
	r, _ := run{seconds: 3, rate: 1000, stall: 1}.result(t)
	r.Reasons = []result.Reason{{Code: result.CodeNote, Text: "said"}}
	r.Lost.ICMP, r.Lost.SendError, r.Lost.Late, r.Interrupted = 4, 3, 2, 1
	r.Strays = result.Strays{Late: 5, Malformed: 6}
	lines := metrics(t, r)
	var kinds []string
	for _, o := range lines {
		o.check(t)
		kinds = append(kinds, o["type"].(string))
		if o["runid"] != lines[0]["runid"] {
			t.Errorf("runid %v, want that of the header, %v", o["runid"], lines[0]["runid"])
		}
	}
	if diff := cmp.Diff(strings.Fields("header event stats_periodic stats_periodic stats_periodic stats_sum"), kinds); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	sum := lines[5]
	want := object{
		"queries": 3000.0, "responses": 2900.0, "timeouts": 102.0, "interrupted": 1.0, "unexpected": 11.0, "discarded": 7.0,
		"since": float64(r.Start.UnixNano()), "until": float64(r.Start.UnixNano() + 3e9), "dnsq_verdict": "valid",
		"response_rcodes": map[string]any{"NOERROR": 2683.0, "NXDOMAIN": 217.0},
		"conn_info":       map[string]any{"type": "udp", "packets_sent": 2997.0, "packets_received": 2911.0, "socket_errors": 7.0},
	}
	for key, value := range want {
		if diff := cmp.Diff(value, sum[key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	for _, o := range lines[2:] {
		if got := bucketed(t, o); got != o["responses"] {
			t.Errorf("%v: %v in its buckets, %v responses", o["type"], got, o["responses"])
		}
	}
	if h, err := result.Decode(sum["dnsq_response_histogram"].(string)); err != nil || h.TotalCount() != 2900 {
		t.Errorf("the whole distribution: %v, %v", h, err)
	}
}

// bucketed is how many there are in buckets, which have to be in order and around the average.
func bucketed(t *testing.T, o object) (n float64) {
	t.Helper()
	l := o["response_latency"].(map[string]any)
	last := 0.0
	buckets := l["buckets"].([]any)
	for _, b := range buckets {
		b := b.([]any)
		if from, to := b[0].(float64), b[1].(float64); from < last || to < from {
			t.Errorf("bucket %v after one up to %v", b, last)
		}
		last = b[1].(float64)
		n += b[2].(float64)
	}
	if lo, hi := l["min"].(float64), l["max"].(float64); lo > l["avg"].(float64) || hi < l["avg"].(float64) || lo < 0.98*buckets[0].([]any)[0].(float64) || hi > 1.02*last {
		t.Errorf("%v to %v in %v", lo, hi, buckets)
	}
	return n
}

func TestDNSMetricsEmpty(t *testing.T) {
	lines := metrics(t, &result.Result{})
	if len(lines) != 2 {
		t.Fatalf("%v", lines)
	}
	for _, o := range lines {
		o.check(t)
		if _, ok := o["response_latency"]; ok {
			t.Errorf("a latency of nothing: %v", o)
		}
	}
}

func TestDNSMetricsBadHistogram(t *testing.T) {
	r, _ := run{seconds: 1, rate: 10}.result(t)
	r.Histograms.Response = "x"
	if err := report.DNSMetrics(&strings.Builder{}, r); err == nil || !strings.Contains(err.Error(), "HdrHistogram") {
		t.Errorf("%v, want an error that says what would be right", err)
	}
}
