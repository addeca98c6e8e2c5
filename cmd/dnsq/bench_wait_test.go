package main

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/stat"
	"github.com/dnsq/dnsq/internal/bench/wait"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/require"
)

// needLoops skips where no loop can be had.
func needLoops(t *testing.T) {
	t.Helper()
	r, err := wait.OpenReady(wait.Way{Call: "epoll", Manner: wait.Timerfd})
	if err != nil {
		require.Skip(t, "%v", err)
	}
	r.Close()
}

// All parts have what they promise: the loops' counts exactly, and the engine's where one query is outstanding.
func TestBenchWait(t *testing.T) {
	needLoops(t)
	var r struct {
		Notes   []string
		Results waitResult
	}
	text := benchFile(t, &r, "wait", "--runs", "2", "--seconds", "0.2", "-s", dnstest.Process(t, 1).String())
	for i, c := range r.Results.Calls {
		if c.Call != wait.Calls()[i] || c.KernelReads != []int{3, 2, 2}[i] || len(c.Samples) != 4 || c.Timeout == nil {
			t.Errorf("call %+v", c)
			continue
		}
		for _, s := range c.Samples {
			if len(s.Values) != 2 || s.Values[0] <= 0 || s.Values[0] > 1e6 {
				t.Errorf("%s: %v", s.Name, s.Values)
			}
		}
		if c.Timeout.Names != [2]string{c.Call + "/bare", c.Call + "/timeout"} {
			t.Errorf("compared: %v", c.Timeout.Names)
		}
	}
	if len(r.Results.Calls) != 3 || len(r.Results.Loops) != 18 || len(r.Results.Engine) != 2 {
		t.Fatalf("%d calls, %d loops, %d engines", len(r.Results.Calls), len(r.Results.Loops), len(r.Results.Engine))
	}
	for i, c := range r.Results.Loops {
		checkLoop(t, i, c)
	}
	if p := r.Results.Pair; p == nil || !p.Document || p.Queries < leastRecvQueries || len(p.Samples[1].Values) != 2 || p.Compared == nil {
		t.Errorf("pair %+v", p)
	}
	const slack, reads = 0.2, 2 // the turns before and behind; a read as a turn begins, and one when Done has run and sends
	if e := r.Results.Engine[0]; math.Abs(e.Waits-1) > slack || math.Abs(e.Wakes-1) > slack || e.TimedWaits != 0 || math.Abs(e.ClockReads-reads) > slack {
		t.Errorf("engine %+v", e)
	}
	checkSchema(t, "wait", text)
}

// checkLoop compares what a loop did with what its manner and load say.
func checkLoop(t *testing.T, i int, c loopResult) {
	t.Helper()
	if want := wait.Ways()[i%9]; c.Way != want || c.Outstanding != []int{1, 64}[i/9] || c.Wakes == 0 {
		t.Errorf("loop %d: %+v, want %v", i, c, want)
	}
	timed := 0.0
	if c.Manner == wait.Timeout {
		timed = c.Waits
	}
	// The read that a run begins with, and waits for replies that were lost: on a busy machine a run may be a few wakes long.
	slack := 0.02 + 3/float64(c.Wakes)
	if c.TimedWaits != timed || c.Outstanding == 1 && math.Abs(c.Datagrams-1) > slack || math.Abs(c.Wake-c.Datagram*c.Datagrams) > 1 {
		t.Errorf("loop %d, %v: %d wakes, %g datagrams, %g timed waits, %g ns a wake, %g a datagram", i, c.Way, c.Wakes, c.Datagrams, c.TimedWaits, c.Wake, c.Datagram)
	}
	if c.Manner != wait.Polling && (math.Abs(c.Waits-1) > slack || math.Abs(c.ClockReads-1) > slack) {
		t.Errorf("loop %d, %v: %d wakes, %g waits, %g clock reads", i, c.Way, c.Wakes, c.Waits, c.ClockReads)
	}
}

// waited is a result that was not measured.
func waited(t *testing.T, bare, timeout, without []float64) *waitResult {
	t.Helper()
	r := &waitResult{Source: "hpet", Outstanding: 64, Pair: &waysResult{Names: [2]string{"select/timeout", "select/timerfd"}, Document: true}}
	for _, call := range wait.Calls() {
		c := callResult{Call: call, KernelReads: 3}
		for _, v := range [][]float64{bare, timeout, bare, bare} {
			c.Samples = append(c.Samples, stat.Sample{Name: call, Values: v})
		}
		if err := c.compare(); err != nil {
			t.Fatal(err)
		}
		r.Calls = append(r.Calls, c)
	}
	r.Pair.Samples = [2]stat.Sample{{Name: "a", Values: timeout}, {Name: "b", Values: without}}
	if len(timeout) > 1 {
		c, err := stat.Compare(r.Pair.Samples[0], r.Pair.Samples[1], stat.DefaultLevel)
		if err != nil {
			t.Fatal(err)
		}
		r.Pair.Compared = &c
	}
	counts := wait.Counts{Waits: 10, TimedWaits: 10, Wakes: 10, Datagrams: 25, ClockReads: 11}
	r.Loops = []loopResult{loopResultOf(wait.Way{Call: "select", Manner: wait.Timeout}, 64, loopCosts{counts, 50 * time.Microsecond})}
	r.Engine = []engineResult{{Outstanding: 64, Poller: "edge", Waits: 0.4, Wakes: 0.3, ClockReads: 0.4, Turns: 0.4}}
	return r
}

// The rows hold the document's figures, and verdicts for what it is about alone.
func TestBenchWaitRows(t *testing.T) {
	low, high := []float64{100, 101, 102, 103, 104, 105, 106, 107}, []float64{200, 201, 202, 203, 204, 205, 206, 207}
	for _, tt := range []struct {
		bare, timeout, without []float64
		call, pair             string
	}{
		{low, high, low, "+100 ± 5 ns, +96.6 % ± 4.5 (hpet; 3 clock reads by the kernel's sources): as the document found", ": as the document found"},
		{low, low, low, ": no difference proven here", ": no difference proven here"},
		{high, low, high, ": this machine differs", ": this machine differs"},
	} {
		r := waited(t, tt.bare, tt.timeout, tt.without)
		rows := r.Rows()
		if len(rows) != 4 || len(r.Plots()) != 4 {
			t.Fatalf("%q, %d plots", rows, len(r.Plots()))
		}
		if !strings.HasSuffix(rows[0].Here, tt.call) || !strings.HasSuffix(rows[1].Here, tt.pair) {
			t.Errorf("%q", rows)
		}
		if !strings.Contains(rows[0].Document, "9.56 %") || !strings.Contains(rows[1].Document, "9.56 %") {
			t.Errorf("the document's figures: %q", rows)
		}
		if rows[2].Here != "2.50" || rows[3].Here != "0.400; 0.300; 0.000; 0.400" || !strings.Contains(r.Text(), " 60 % ") {
			t.Errorf("under load: %q\n%s", rows[2:], r.Text())
		}
	}
	if r := waited(t, low[:1], high[:1], low[:1]); len(r.Rows()) != 2 || !strings.Contains(r.Text(), "+100  ") || strings.Contains(r.Text(), "confidence") {
		t.Errorf("one run: %q\n%s", r.Rows(), r.Text())
	}
}

// A loop's averages are of a wake, its CPU time of a datagram too.
func TestLoopResult(t *testing.T) {
	w := wait.Way{Call: "poll", Manner: wait.Polling}
	got := loopResultOf(w, 8, loopCosts{wait.Counts{Waits: 100, Wakes: 10, Datagrams: 20, ClockReads: 15, TimedWaits: 5}, 4 * time.Microsecond})
	if want := (loopResult{w, 8, 10, 2, 10, 0.5, 1.5, 400, 200}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if (engineResult{Waits: 1.01}).saved() != "0 %" || (engineResult{Waits: 0.25}).saved() != "75 %" {
		t.Error("saved")
	}
}

// Nothing is left open where a loop cannot be measured.
func TestBenchWaitNobody(t *testing.T) {
	needLoops(t)
	if _, err := newWaitSide(wait.Way{Call: "kqueue"}, dnstest.Nobody(t), 1); err == nil {
		t.Error("a loop by kqueue")
	}
	l := lab.New(lab.Options{Runs: 1, Seconds: 0.01}, nil)
	r := &waitResult{Outstanding: 1}
	if err := r.compareWays(l, dnstest.Nobody(t), [2]wait.Way{wait.Ways()[0], wait.Ways()[1]}); !errors.Is(err, errNoReply) || r.Pair != nil {
		t.Errorf("%v, %+v", err, r.Pair)
	}
	if got := r.loads(); len(got) != 1 {
		t.Errorf("loads %v", got)
	}
}
