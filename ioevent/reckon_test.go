package ioevent_test

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/ioevent/ioeventtest"
)

const us = ioevent.Time(time.Microsecond)

// turns runs n turns that do not sleep, of which each takes what took says after each has been called at its end.
func (r *rig) turns(n int, took func() time.Duration, each func(now ioevent.Time)) {
	r.t.Helper()
	err := r.Run(func(now ioevent.Time) bool {
		each(now)
		r.poller.Advance(took())
		if n--; n == 0 {
			r.Quit()
		}
		return true
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

func constant(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

func TestClockReadsOfARule(t *testing.T) {
	for _, tt := range []struct {
		every, rule int
		reads       uint64 // in 81 turns
	}{{0, 1, 81}, {1, 1, 81}, {-1, 1, 81}, {8, 8, 11}, {80, 80, 2}, {1000, 1000, 1}} {
		r := newRig(t, true, ioevent.Config{ClockEvery: tt.every})
		if got := r.ClockEvery(); got != tt.rule {
			t.Errorf("ClockEvery = %d for %d, want %d", got, tt.every, tt.rule)
		}
		before := r.Counters().ClockReads
		r.turns(81, constant(time.Microsecond), func(ioevent.Time) {})
		if got := r.Counters().ClockReads - before; got != tt.reads {
			t.Errorf("ClockEvery %d: %d clock reads in 81 turns, want %d", tt.every, got, tt.reads)
		}
	}
}

// TestReckonedTime: it stands still until a turn's length is known, then it is right where turns are of one length.
func TestReckonedTime(t *testing.T) {
	r := newRig(t, true, ioevent.Config{ClockEvery: 4})
	begin := r.poller.Now()
	turn := ioevent.Time(0)
	r.turns(40, constant(100*time.Microsecond), func(now ioevent.Time) {
		want := begin + turn*100*us
		if turn < 4 {
			want = begin
		}
		if now != want || r.Now() != want {
			t.Errorf("turn %d: %d µs, want %d", turn, (now-begin)/us, (want-begin)/us)
		}
		turn++
	})
}

// TestReckonedTimers: whatever turns take, Now does not go back, no timer is early by the clock, and none is later than the rule says.
func TestReckonedTimers(t *testing.T) {
	const every = 8
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		r := newRig(t, true, ioevent.Config{ClockEvery: every})
		timers := make([]*overdue, 200)
		for i := range timers {
			timers[i] = startOverdue(r, r.poller.Now()+ioevent.Time(rnd.IntN(100_000_000)))
		}
		last, turn := r.Now(), 0
		r.turns(4000, func() time.Duration {
			most := 300 // turns get faster and slower all at once
			if turn/100%2 == 1 {
				most = 3
			}
			return time.Duration(rnd.IntN(most)+1) * time.Microsecond
		}, func(now ioevent.Time) {
			if turn++; now < last {
				t.Errorf("seed %d, turn %d: Now went back by %d ns", seed, turn, last-now)
			}
			if lead := now - r.poller.Now(); lead > every*300*us {
				t.Errorf("seed %d, turn %d: Now is %d µs ahead", seed, turn, lead/us)
			}
			last = now
			for _, o := range timers {
				if late := o.turn(); late > every {
					t.Fatalf("seed %d: a timer is late by %d turns, want %d at most", seed, late, every)
				}
			}
		})
		for _, o := range timers {
			if o.fired != 1 || o.early {
				t.Errorf("seed %d: a timer came %d times, early: %v", seed, o.fired, o.early)
			}
		}
	}
}

// overdue is a timer that counts the turns it is late.
type overdue struct {
	*alarm
	r     *rig
	late  int
	fired int
	early bool
}

func startOverdue(r *rig, at ioevent.Time) *overdue {
	o := &overdue{r: r}
	o.alarm = newAlarm(func(now ioevent.Time) {
		o.fired++
		o.early = o.early || now < at || r.poller.Now() < at
	})
	r.Start(&o.timer, at)
	return o
}

// turn is called at the end of one, whose time still is.
func (o *overdue) turn() (late int) {
	if o.timer.Active() && o.timer.At() <= o.r.poller.Now() {
		o.late++
	}
	return o.late
}

// TestSuspectedTimer: a timer that is due by the reckoned time alone waits until the clock agrees, which is asked each turn then.
func TestSuspectedTimer(t *testing.T) {
	r := newRig(t, true, ioevent.Config{ClockEvery: 4})
	r.turns(9, constant(100*time.Microsecond), func(ioevent.Time) {}) // it knows what a turn takes
	before := r.Counters().ClockReads
	begin := r.poller.Now()
	o := startOverdue(r, begin+150*us)
	turn := 0
	r.turns(40, constant(10*time.Microsecond), func(ioevent.Time) { // that is no longer so
		turn++
		if at := begin + ioevent.Time(turn-1)*10*us; (at >= begin+150*us) != (o.fired == 1) || r.poller.Now() != at {
			t.Errorf("%d µs: the timer for 150 µs came %d times", (at-begin)/us, o.fired)
		}
	})
	// The first turn reads, the third to the 16th suspect, and from then on each fourth reads, six of them.
	if got := r.Counters().ClockReads - before; o.early || got != 1+14+6 {
		t.Errorf("%d clock reads, want 21; early: %v", got, o.early)
	}
}

// TestSleepIsRead: what a sleep takes nobody can reckon. Where the last turn had much to do, the loop looks before it sleeps.
func TestSleepIsRead(t *testing.T) {
	for _, tt := range []struct {
		name                string
		every, spent        int
		ready               bool // as the wait begins
		reads, waits, block int  // in 8 turns
	}{
		{"cheap clock", 1, 64, true, 8, 8, 8},
		{"dear clock, one datagram a turn", 4, 1, true, 8, 8, 8},
		{"dear clock, many", 4, 64, true, 2, 8, 0},
		{"dear clock, many, but none yet", 4, 64, false, 8, 16, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, true, ioevent.Config{ClockEvery: tt.every})
			tok := r.handler("x", func(ioevent.Event) bool { r.Spent(tt.spent); return true })
			_ = r.Watch(tok, 1, ioevent.Read)
			next := func() {
				if tt.ready {
					r.poller.SetReady(1, ioevent.Read)
				} else {
					r.poller.SetReadyAsleep(1, ioevent.Read)
				}
			}
			r.Ready(tok)
			if _, err := r.Turn(true); err != nil { // whose work is what the next one goes by
				t.Fatal(err)
			}
			reads, calls := r.Counters().ClockReads, r.poller.Calls()
			for range 8 {
				next()
				if _, err := r.Turn(false); err != nil {
					t.Fatal(err)
				}
			}
			got := r.poller.Calls()
			got.Wait, got.Block = got.Wait-calls.Wait, got.Block-calls.Block
			if n := int(r.Counters().ClockReads - reads); n != tt.reads || got.Wait != tt.waits || got.Block != tt.block {
				t.Errorf("%d clock reads, %d waits of which %d to sleep; want %d, %d, %d", n, got.Wait, got.Block, tt.reads, tt.waits, tt.block)
			}
			if len(r.calls) != 9 {
				t.Errorf("%d calls, want 9", len(r.calls))
			}
		})
	}
}

// TestClockIsMeasured: a clock that is given is not, it may be slow on purpose; a bubble's costs nothing.
func TestClockIsMeasured(t *testing.T) {
	p := ioeventtest.NewPoller(true)
	reads := 0
	l, err := ioevent.NewLoop(ioevent.Config{Mechanism: p.Mechanism(), Clock: func() ioevent.Time {
		reads++
		p.Advance(time.Millisecond)
		return p.Now()
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if reads != 1 || l.ClockEvery() != 1 {
		t.Errorf("a given clock was read %d times and is read each %d turns, want 1 and 1", reads, l.ClockEvery())
	}
	want := 1
	if ioevent.ClockCost() > 200*time.Nanosecond {
		want = 8
	}
	real, err := ioevent.NewLoop(ioevent.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer real.Close()
	if got := real.ClockEvery(); got != want {
		t.Errorf("this machine's clock is read each %d turns, want %d where a read costs %v", got, want, ioevent.ClockCost())
	}
	synctest.Test(t, func(t *testing.T) {
		if cost := ioevent.ClockCost(); cost != 0 {
			t.Errorf("in a bubble a read costs %v", cost)
		}
	})
}
