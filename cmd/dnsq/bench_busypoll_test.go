package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/bench/busypoll"
	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/require"
)

// busyReport is what a file of "bench busypoll" says.
type busyReport struct {
	Notes   []string
	Results busypollResult
}

// All ways are measured, over loopback and, where that can be, over a pair of devices.
func TestBenchBusypoll(t *testing.T) {
	if _, err := busypoll.Open(busypoll.Ways()[0], lab.Options{}.Server, 0); err != nil {
		require.Skip(t, "%v", err)
	}
	var r busyReport
	checkSchema(t, "busypoll", benchFile(t, &r, "busypoll", "--runs", "2", "--seconds", "0.4"))
	if len(r.Results.Networks) != 2 {
		require.Skip(t, "no pair of devices: %q", r.Notes)
	}
	for i, n := range r.Results.Networks {
		if name := []string{"loopback", "veth"}[i]; n.Name != name || (n.NAPI > 0) != (i == 1) {
			t.Errorf("%s with NAPI id %d, want %s", n.Name, n.NAPI, name)
		}
		for j, w := range n.Ways {
			if w.Way != busypoll.Ways()[j] || w.Unavailable == "" && (w.Messages < 2 || w.Latency.P50 <= 0 || w.Latency.P50 > w.Latency.P99) {
				t.Errorf("%s: %+v", n.Name, w)
			}
			if w.Polled > 0 && (w.Way != busypoll.Way{Call: "epoll", Mode: busypoll.Busy} || n.NAPI == 0) && r.Results.BusyPoll == "0" {
				t.Errorf("%s, %v: %.2f replies busy polled a message", n.Name, w.Way, w.Polled)
			}
		}
		if len(n.Compared) != len(busyPairs()) || n.Compared["spin"].Samples[1].N != 2 {
			t.Errorf("%s: compared %+v", n.Name, n.Compared)
		}
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "loopback has no device queue") {
		t.Errorf("notes %q", r.Notes)
	}
}

// Whoever never sleeps notices a reply sooner than who does, if there is a processor for each side.
func TestBenchBusypollSpin(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector is what would be measured")
	}
	var ratios []float64
	for range 3 {
		var r busyReport
		benchFile(t, &r, "busypoll", "--netns=no", "--runs", "4", "--seconds", "1")
		n := r.Results.Networks[0]
		if slices.ContainsFunc(r.Notes, func(s string) bool {
			return strings.Contains(s, "processor: ") || strings.HasPrefix(s, "the processors")
		}) {
			require.Skip(t, "no two processors: %q", r.Notes)
		}
		s := n.Samples["spin"]
		ratio := slices.Min(s[1].Values) / slices.Min(s[0].Values) // of the best runs: others have the processors too
		if ratios = append(ratios, ratio); ratio < 0.9 {
			return
		}
	}
	t.Errorf("the P50 of epoll spinning is %.2f of that asleep", ratios)
}

// What is unavailable has its reason where the figures would be; with a device, nothing is excused.
func TestBusypollResult(t *testing.T) {
	l := lab.New(lab.Options{}, nil)
	r := &busypollResult{Sockets: 10, BusyPoll: "0"}
	n := busyNetwork{Name: "veth", NAPI: 7}
	runs := make([]busyRun, len(busypoll.Ways()))
	for i, w := range busypoll.Ways() {
		n.Ways = append(n.Ways, busyWay{Way: w})
		if w.Call == "select" && w.Mode == busypoll.Busy {
			n.Ways[i].Unavailable = "setsockopt SO_BUSY_POLL: operation not permitted"
			continue
		}
		v := float64(10 * (i + 1))
		runs[i] = busyRun{latencies: []float64{v, v, v + 1, v + 2}, medians: []float64{v, v + 1}, took: 1000_000, cpu: 400_000, polled: 3}
	}
	if err := n.finish(l, r, runs); err != nil {
		t.Fatal(err)
	}
	r.Networks = []busyNetwork{n}
	rows := r.Rows()
	for i, want := range []lab.Row{
		{Question: "P50 over 10 UDP sockets, veth, poll sleep to poll busy", Document: "51.9 → 7.0 µs (× 0.135)", Here: "10.0 → 20.0 µs (× 2.000)"},
		{Question: "P50 over 10 UDP sockets, veth, epoll sleep to epoll busy", Document: "–", Here: "70.0 → 80.0 µs (× 1.143)"},
		{Question: "P50 over 10 UDP sockets, veth, epoll sleep to epoll spin", Document: "–", Here: "70.0 → 90.0 µs (× 1.286)"},
	} {
		if rows[i] != want {
			t.Errorf("%q, want %q", rows[i], want)
		}
	}
	text := r.Text()
	for _, want := range []string{
		"veth, NAPI id 7\n", "    poll   busy  20.0  22.0  22.0         4  100.0  0.40        0.750\n", "  select   busy     –     –     –         –      –     –            –\n",
		"poll sleep to poll busy: the document 51.9 → 7.0 µs (× 0.135); here 10.0 → 20.0 µs (× 2.000)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if notes := strings.Join(l.Notes, "\n"); !strings.Contains(notes, "net.core.busy_poll is 0") || !strings.Contains(notes, "took 75 % of the replies") ||
		!strings.Contains(notes, "veth, select busy: setsockopt") {
		t.Errorf("notes %q", l.Notes)
	}
	if _, ok := n.Compared["select"]; ok || len(r.Plots()) != 1 || len(r.Plots()[0].Series) != 3 {
		t.Errorf("compared %v, plots %+v", n.Compared, r.Plots())
	}
}
