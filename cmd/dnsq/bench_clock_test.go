package main

import (
	"math"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/stat"
	"github.com/dnsq/dnsq/internal/machine"
	"github.com/dnsq/dnsq/internal/require"
)

// Each way to the clock has its loops, whose figures fit each other, and the vDSO is cheaper than the system call where there are both.
func TestBenchClock(t *testing.T) {
	if len(machine.Clocks()) == 0 {
		require.Skip(t, "no clock is read by system call here")
	}
	var r struct {
		Notes   []string
		Results clockResult
	}
	text := benchFile(t, &r, "clock", "--runs", "3", "--seconds", "0.2")
	names := ""
	for _, c := range r.Results.Clocks {
		names += c.Name + " "
		if len(c.Loops) != 3 || c.Resolution <= 0 || c.Step <= 0 {
			t.Errorf("%+v", c)
		}
		for _, l := range c.Loops {
			if l.Iterations < batchReads || l.Iterations%batchReads != 0 || math.Abs(l.Each*float64(l.Iterations)/1e9-l.Seconds) > 1e-6 || l.Wall <= 0 {
				t.Errorf("%s: %+v", c.Name, l)
			}
		}
	}
	if want := "ioevent.Now time.Now CLOCK_MONOTONIC CLOCK_MONOTONIC_COARSE "; names != want {
		t.Errorf("%s, want %s", names, want)
	}
	if coarse := r.Results.Clocks[3]; coarse.Step < coarse.Resolution/2 {
		t.Errorf("the coarse clock made steps of %d ns, its resolution is %d", coarse.Step, coarse.Resolution)
	}
	user, call, ok := r.Results.pair()
	if c := r.Results.Compared; !ok || c == nil || c.Names != [2]string{call.Name, user.Name} || c.Samples[1] != stat.Summarize(user.sample().Values) {
		t.Errorf("compared: %+v", c)
	}
	checkSchema(t, "clock", text)
}

// clockReadsOf has loops that took so many nanoseconds a read.
func clockReadsOf(name, by string, ns ...float64) clockReads {
	c := clockReads{Name: name, By: by, Resolution: 1, Step: 25}
	for _, each := range ns {
		c.Loops = append(c.Loops, clockLoop{Seconds: each / 1e6, Wall: each / 1e6, Iterations: 1000, Each: each})
	}
	return c
}

// The rows say what was found, by which clock, and whether it is what the document found.
func TestBenchClockRows(t *testing.T) {
	cheap, dear := []float64{30, 31, 32, 33, 34, 35, 36, 37}, []float64{280, 281, 282, 283, 284, 285, 286, 287}
	for _, tt := range []struct {
		user, call []float64
		want       []string
	}{
		{cheap, dear, []string{"33.5 ns, s = 2.4 (tsc, by vDSO)", "283.5 ns, s = 2.4 (tsc)", "-88.2 % ± 1.6: as the document found"}},
		{dear, dear, []string{"283.5 ns, s = 2.4 (tsc, which the vDSO does not serve: a system call)", "(tsc)", "no difference proven here"}},
		{dear, cheap, []string{"does not serve", "(tsc)", ": this machine differs"}},
		{cheap[:1], dear[:1], []string{"30.0 ns (tsc, by vDSO)", "280.0 ns (tsc)", "-89.3 % (one loop of each)"}},
	} {
		r := &clockResult{Source: "tsc", Clocks: []clockReads{clockReadsOf("go", "Go", tt.user...), clockReadsOf("m", "system call", tt.call...)}}
		if err := r.compare(); err != nil {
			t.Fatal(err)
		}
		rows := r.Rows()
		if len(rows) != 3 || len(r.Plots()) != 2 {
			t.Fatalf("%q, %d plots", rows, len(r.Plots()))
		}
		for i, want := range tt.want {
			if !strings.Contains(rows[i].Here, want) || !strings.Contains(r.Text(), want) {
				t.Errorf("%q, want %q", rows[i].Here, want)
			}
		}
		if rows[0].Document != "TSC 19 ns, HPET 580 ns" || rows[1].Document != "TSC 279 ns, HPET 2,475 ns" {
			t.Errorf("the document's figures: %q", rows)
		}
	}
	coarse := clockReadsOf("coarse", "system call", 240)
	coarse.Step = 4e6
	r := &clockResult{Clocks: []clockReads{clockReadsOf("go", "Go", 30), clockReadsOf("m", "system call", 280), coarse}}
	if rows := r.Rows(); len(rows) != 4 || rows[3].Here != "240.0 ns, in steps of 4.0 ms" {
		t.Errorf("the coarse clock: %q", rows)
	}
}

// Where there is no system call for the clock, that is said.
func TestBenchClockAlone(t *testing.T) {
	r := &clockResult{Source: "unknown", Clocks: []clockReads{clockReadsOf("go", "Go", 30, 31)}}
	l := lab.New(lab.Options{}, nil)
	r.tell(l)
	if err := r.compare(); err != nil || r.Compared != nil || len(l.Notes) != 1 {
		t.Errorf("%v, %+v, notes %q", err, r.Compared, l.Notes)
	}
	if rows := r.Rows(); len(rows) != 2 || rows[1].Here != "there is none" || !strings.Contains(r.Text(), "clock source unknown") {
		t.Errorf("%q", rows)
	}
}

func TestFoundAgain(t *testing.T) {
	for _, tt := range []struct {
		delta, interval float64 // Student's
		low, high       float64 // of the ranks' interval
		want            string
	}{
		{-2, 1, -3, -1, "as the document found"},
		{2, 1, 1, 3, "this machine differs"},
		{-1, 2, -3, 1, "no difference proven here"},
		{-1, 2, -3, -1, "the tests disagree"},
		{-2, 1, -3, 1, "the tests disagree"},
	} {
		var c stat.Comparison
		c.Student.Delta, c.Student.Interval = tt.delta, tt.interval
		c.Ranks = stat.Shift{Low: tt.low, High: tt.high, Bounded: true}
		if got := foundAgain(c, -1); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

// Others' share of the processor is told where it is more than a tenth.
func TestTellShared(t *testing.T) {
	l := lab.New(lab.Options{}, nil)
	tellShared(l, 1, 0.95)
	if len(l.Notes) != 0 {
		t.Errorf("%q", l.Notes)
	}
	tellShared(l, 1, 0.5)
	if len(l.Notes) != 1 || !strings.Contains(l.Notes[0], "50 % of the time") {
		t.Errorf("%q", l.Notes)
	}
}
