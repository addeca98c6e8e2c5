package main

import (
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/require"
)

// shortLoad are the options of a table in some seconds.
func shortLoad(t *testing.T) options {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds programs")
	}
	o, err := parse([]string{"--load", "--runs", "1", "--seconds", "0.1", "--markdown"})
	if err != nil {
		t.Fatal(err)
	}
	o.load.stalled, o.load.stall = 0.3, 50*time.Millisecond
	return o
}

// checkRun wants counts that agree. A flood may lose queries where receive buffers are small; what goes over TCP, or in time, may not. A stall
// is in p99 on any machine.
func checkRun(t *testing.T, s side, r result) {
	t.Helper()
	switch {
	case r["completed"] == 0:
		t.Errorf("%s, server %s: nothing was answered: %v", s.label, s.server, r)
	case s.server == "knot" && r["lost"] != 0, s.server == "stamps" && (r["lost"] != 0 || r["arrived"] != r["completed"]):
		t.Errorf("%s, server %s: what was sent, has arrived and was answered are not the same: %v", s.label, s.server, r)
	case s.server == "stalled" && r["p99_ms"] < float64(stallLength.Milliseconds())/2:
		t.Errorf("%s: there was no stall: %v", s.label, r)
	}
}

// Every work has all of its figures, of both sides.
func TestCompareLoad(t *testing.T) {
	o := shortLoad(t)
	if _, err := exec.LookPath("cc"); err != nil {
		require.Skip(t, "there is no C compiler: %v", err)
	}
	var log strings.Builder
	f := &field{o: o.load, logf: logTo(&log)}
	if err := f.prepare(o.programs); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(f.t.dir)
	if strings.Contains(log.String(), "left out") {
		require.Skip(t, "%s", log.String())
	}
	for _, w := range works(o.load) {
		ours, peers := f.measure(w, 1)
		if len(ours) != 1 || len(peers) != 1 {
			t.Fatalf("%s: %d and %d runs\n%s", w.name, len(ours), len(peers), log.String())
		}
		checkRun(t, w.ours, ours[0])
		checkRun(t, w.peer, peers[0])
		for _, figure := range w.figures {
			if math.IsNaN(median(ours, figure.key)) || figure.ratio.text != "" && math.IsNaN(median(peers, figure.key)) {
				t.Errorf("%s: %s was not measured: %v, %v", w.name, figure.what, ours, peers)
			}
		}
	}
	if f.facts.host.CPUs == 0 || f.facts.dnsperf == "" {
		t.Errorf("%+v", f.facts)
	}
}

// Without the C responder and the peers there is what dnsq's own shows, and it is said what there is not.
func TestCompareLoadLeavesOut(t *testing.T) {
	o := shortLoad(t)
	o.programs = slices.DeleteFunc(o.programs, func(p program) bool { return p.name != "dnsq" })
	var table, log strings.Builder
	f := &field{o: o.load, logf: logTo(&log)}
	if err := f.prepare(o.programs); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(f.t.dir)
	delete(f.t.has, "dnsperf")
	delete(f.t.has, "knotd")
	f.compare(&table, 1)
	for _, want := range []string{
		"| work | figure |", "\n|---|",
		"\n| dnsq reflect against reflect.c plain, client dnsq load | answers a second | ", " | – | – | >= 0.8 x reflect.c plain | not measured |\n",
		"\n| server that stalls 200ms at 50ms of 0.3 s, 5,000 a second | p99 of response time, ms | ",
		"clock ", ", load average before ", "medians of 1 runs of each\n",
	} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q:\n%s", want, table.String())
		}
	}
	if lines := strings.Count(table.String(), "\n"); lines != 8 { // 2 of a heading, 4 figures of 3 works, and the facts
		t.Errorf("%d lines:\n%s", lines, table.String())
	}
	for name, missing := range map[string]string{"UDP, 1,000 outstanding, responder reflect.c plain": "reflect", "TCP, 10 connections pipelined, Knot": "knotd"} {
		if want := "left out: " + name + ": no " + missing; !strings.Contains(log.String(), want) {
			t.Errorf("nothing says %q:\n%s", want, log.String())
		}
	}
}
