package ioevent_test

import (
	"slices"
	"testing"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// flood makes n handlers ready that each move datagrams at a cost and are never dry.
func flood(r *rig, n, datagrams int, cost time.Duration) {
	for range n {
		r.Ready(r.handler("x", func(ioevent.Event) bool {
			r.poller.Advance(time.Duration(datagrams) * cost)
			r.Spent(datagrams)
			return false
		}))
	}
}

func TestTimeBudget(t *testing.T) {
	r := newRig(t, true, ioevent.Config{Budget: 10 * time.Millisecond, Datagrams: 1 << 30})
	flood(r, 100, 64, 10*time.Microsecond) // 256 datagrams take 2.56 ms
	before := r.Counters().ClockReads
	r.Poll(r.poller.Now())
	if got := len(r.calls) * 64; got != 1024 {
		t.Errorf("a budget of 10 ms ended the turn after %d datagrams, want 1024 (10.24 ms)", got)
	}
	if got := r.Counters().ClockReads - before; got != 4 {
		t.Errorf("%d clock reads in 1024 datagrams, want 4", got)
	}
	if got := r.Counters().Datagrams; got != 1024 {
		t.Errorf("Datagrams = %d", got)
	}
}

func TestDatagramLimitFollowsCost(t *testing.T) {
	for _, tt := range []struct {
		cost   time.Duration
		lo, hi int
	}{
		{time.Microsecond, 1900, 2100},
		{4 * time.Microsecond, 500, 512},
		{time.Millisecond, 256, 256},
		{0, 256, 256}, // a clock too coarse to tell
	} {
		r := newRig(t, true, ioevent.Config{})
		flood(r, 3000, 1, tt.cost)
		r.Poll(r.poller.Now())
		if len(r.calls) != 256 {
			t.Errorf("cost %v: %d datagrams in the first turn, want 256", tt.cost, len(r.calls))
		}
		for range 20 {
			r.calls = r.calls[:0]
			r.Poll(r.poller.Now())
		}
		if n := len(r.calls); n < tt.lo || n > tt.hi {
			t.Errorf("cost %v: %d datagrams a turn, want %d to %d for 2 ms", tt.cost, n, tt.lo, tt.hi)
		}
	}
}

func TestLimitAfterAStall(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	flood(r, 3000, 1, time.Microsecond)
	turn := func() int {
		r.calls = r.calls[:0]
		r.Poll(r.poller.Now())
		return len(r.calls)
	}
	for range 5 {
		turn()
	}
	r.Ready(r.handler("stall", func(ioevent.Event) bool { r.poller.Advance(2 * time.Millisecond); return true }))
	for turn(); r.calls[len(r.calls)-1] != "x"; turn() {
	}
	for range 2 {
		turn()
	}
	if n := len(r.calls); n < 512 {
		t.Errorf("soon after a stall of 2 ms %d datagrams a turn: one sample weighs too much", n)
	}
	for range 60 {
		turn()
	}
	if n := len(r.calls); n < 1500 {
		t.Errorf("long after a stall %d datagrams a turn, want about 2000", n)
	}
}

func TestSpentCountsByTheTurn(t *testing.T) {
	r := newRig(t, true, ioevent.Config{Datagrams: 10})
	for range 3 {
		r.Spent(10) // by a tick, say: what it moved is not the next turn's
		r.Ready(r.handler("a", func(ioevent.Event) bool { r.Spent(9); return true }))
		r.Ready(r.handler("b", nil))
		r.turn()
		r.want("a b")
	}
}

// TestNoBudget: a negative one lets everything be called that is ready, and asks for no time.
func TestNoBudget(t *testing.T) {
	for _, tt := range []struct {
		budget    time.Duration
		datagrams int
		calls     int // in the first turn of 1,000 handlers that each move 64 datagrams in 1 ms
		reads     uint64
	}{
		{0, 0, 4, 1},
		{-1, 0, 1000, 0},
		{-1, 640, 10, 0},
		{time.Hour, 1 << 30, 1000, 250},
	} {
		r := newRig(t, true, ioevent.Config{Budget: tt.budget, Datagrams: tt.datagrams})
		flood(r, 1000, 64, time.Millisecond/64)
		before := r.Counters().ClockReads
		r.Poll(r.poller.Now())
		if got := r.Counters().ClockReads - before; len(r.calls) != tt.calls || got != tt.reads {
			t.Errorf("budget %v, %d datagrams: %d calls and %d clock reads in a turn, want %d and %d", tt.budget, tt.datagrams, len(r.calls), got, tt.calls, tt.reads)
		}
	}
}

// TestShare: what a turn has left is divided among those that are ready, and nobody gets less than is worth a call.
func TestShare(t *testing.T) {
	for _, tt := range []struct {
		ready, limit int
		want         []int // the shares of those that are called, each of which takes all of it
	}{
		{1, 1000, []int{1000}},
		{4, 1000, []int{250, 250, 250, 250}},
		{10, 320, []int{64, 64, 64, 64, 64}},
	} {
		r := newRig(t, true, ioevent.Config{Datagrams: tt.limit})
		var got []int
		for range tt.ready {
			r.Ready(r.handler("x", func(ioevent.Event) bool {
				got = append(got, r.Share())
				r.Spent(r.Share())
				return true
			}))
		}
		r.Poll(r.poller.Now())
		if !slices.Equal(got, tt.want) {
			t.Errorf("%d ready, a limit of %d: shares %v, want %v", tt.ready, tt.limit, got, tt.want)
		}
	}
}
