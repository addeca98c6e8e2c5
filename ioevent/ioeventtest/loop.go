package ioeventtest

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// runLoopTests holds a loop to its contract whose clock is read each turn, or every so many.
func runLoopTests(t *testing.T, m ioevent.Mechanism, every int) {
	for _, tt := range []struct {
		name  string
		files bool // needs descriptors
		run   func(s *stand)
	}{
		{"TimersAreNeverEarly", false, testLoopTimers},
		{"LeftOverComesFirst", false, testLoopLeftOver},
		{"NeverDryStarvesNobody", false, testLoopFair},
		{"ClockReads", false, testLoopClock},
		{"NotifyLedger", false, testNotifyLedger},
		{"WakesOnlyASleeper", false, testWakesOnlyASleeper},
		{"AllocatesNothing", false, testLoopAllocs},
		{"EveryByteArrives", true, testLoopBytes},
		{"UnregisterInHandler", true, testLoopUnregister},
		{"TurnedByAnotherLoop", true, testLoopNested},
	} {
		if tt.files && !m.Files || tt.name == "ClockReads" && every > 1 {
			continue
		}
		t.Run(tt.name, func(t *testing.T) { tt.run(newStand(t, m, ioevent.Config{ClockEvery: every})) })
	}
}

// A stand is a loop under test, whose poller's calls are counted.
type stand struct {
	*bench
	loop  *ioevent.Loop
	calls *calls
}

// calls counts those of a poller.
type calls struct {
	ioevent.Poller
	wakes atomic.Int64
	block atomic.Int64
}

func (c *calls) Wake() error {
	c.wakes.Add(1)
	return c.Poller.Wake()
}

func (c *calls) Wait(evs []ioevent.Event, block bool) (int, error) {
	if block {
		c.block.Add(1)
	}
	return c.Poller.Wait(evs, block)
}

// FD makes it an ioevent.Descriptor if the poller is one.
func (c *calls) FD() int {
	if d, ok := c.Poller.(ioevent.Descriptor); ok {
		return d.FD()
	}
	return -1
}

func newStand(t *testing.T, m ioevent.Mechanism, c ioevent.Config) *stand {
	t.Helper()
	s := &stand{bench: &bench{T: t, mechanism: m}, calls: new(calls)}
	c.Mechanism = m
	c.Mechanism.Open = func(c *ioevent.Counters) (p ioevent.Poller, err error) {
		s.calls.Poller, err = m.Open(c)
		return s.calls, err
	}
	l, err := ioevent.NewLoop(c)
	s.must("NewLoop", err)
	s.loop = l
	t.Cleanup(func() {
		if n := l.Counters().TimedWaits; n != 0 {
			t.Errorf("%d timed waits", n)
		}
		s.must("Close", l.Close())
	})
	return s
}

// run turns the loop until tick says it is enough. One that goes on for too long is a failure.
func (s *stand) run(tick func(now ioevent.Time) (more, enough bool)) {
	s.Helper()
	late := newTimer(func(ioevent.Time) {
		s.Errorf("the loop did not come to its end in %v", slack)
		s.loop.Quit()
	})
	s.loop.Start(&late.timer, ioevent.Now()+ioevent.Time(slack))
	s.must("Run", s.loop.Run(func(now ioevent.Time) bool {
		more, enough := tick(now)
		if enough {
			s.loop.Quit()
		}
		return more
	}))
	s.loop.Stop(&late.timer)
}

type handlerFunc func(ev ioevent.Event) (dry bool)

func (f handlerFunc) HandleEvent(ev ioevent.Event) bool { return f(ev) }

// A timer calls a function.
type timer struct {
	timer ioevent.Timer
	what  func(now ioevent.Time)
}

func newTimer(what func(now ioevent.Time)) *timer {
	t := &timer{what: what}
	t.timer.Init(t)
	return t
}

func (t *timer) Expire(now ioevent.Time) { t.what(now) }

func testLoopTimers(s *stand) {
	const timers = 20
	fired := 0
	for i := range ioevent.Time(timers) {
		at := ioevent.Now() + i*i*ms/10
		t := newTimer(func(now ioevent.Time) {
			fired++
			if real := ioevent.Now(); now < at || real < at {
				s.Errorf("timer %d came at %d, %v too early", i, now, time.Duration(at-real))
			}
		})
		s.loop.Start(&t.timer, at)
	}
	s.run(func(ioevent.Time) (more, enough bool) { return false, fired == timers })
	if turns := s.loop.Counters().Turns; turns > 3*timers {
		s.Errorf("%d turns for %d timers: the loop spins", turns, timers)
	}
}

func testLoopLeftOver(s *stand) {
	var order []int
	for i := range 4 {
		s.loop.Ready(s.loop.Register(handlerFunc(func(ioevent.Event) bool {
			order = append(order, i)
			s.loop.Spent(128) // two of them are the least limit there is
			return false
		})))
	}
	turns := 0
	s.run(func(ioevent.Time) (more, enough bool) { turns++; return false, turns == 4 })
	if len(order) < 8 {
		s.Fatalf("%d calls in 4 turns, want at least 2 in each", len(order))
	}
	for i := range order {
		if order[i] != i%4 {
			s.Fatalf("order of calls %v, want one after the other", order)
		}
	}
}

func testLoopFair(s *stand) {
	hog := s.loop.Register(handlerFunc(func(ioevent.Event) bool { s.loop.Spent(64); return false }))
	s.loop.Ready(hog)
	others := 0
	other := s.loop.Register(handlerFunc(func(ioevent.Event) bool { others++; return true }))
	expired := 0
	var t *timer
	t = newTimer(func(now ioevent.Time) { expired++; s.loop.Start(&t.timer, now+ms) })
	s.loop.Start(&t.timer, 0)
	ticks := 0
	s.run(func(ioevent.Time) (more, enough bool) {
		if ticks++; ticks%10 == 0 {
			s.loop.Notify(other)
		}
		return false, others >= 10 && expired >= 10 && ticks >= 100
	})
	if n := s.calls.block.Load(); n != 0 {
		s.Errorf("%d waits slept while a handler was left over", n)
	}
}

func testLoopClock(s *stand) {
	tok := s.loop.Register(handlerFunc(func(ioevent.Event) bool { s.loop.Spent(64); return false }))
	s.loop.Ready(tok)
	reads, turns := s.loop.Counters().ClockReads, 0
	s.run(func(ioevent.Time) (more, enough bool) { turns++; return false, turns == 100 })
	if n := s.loop.Counters().ClockReads - reads; n != 100 {
		s.Errorf("%d clock reads in 100 turns of 64 datagrams, want one each", n)
	}
	s.must("Unregister", s.loop.Unregister(tok))

	s = newStand(s.T, s.mechanism, ioevent.Config{Budget: time.Hour, Datagrams: 1 << 20, ClockEvery: 1})
	for range 16 {
		s.loop.Ready(s.loop.Register(handlerFunc(func(ioevent.Event) bool { s.loop.Spent(64); return true })))
	}
	reads = s.loop.Counters().ClockReads
	s.run(func(ioevent.Time) (more, enough bool) { return false, true })
	if n := s.loop.Counters().ClockReads - reads; n != 1+1024/256 {
		s.Errorf("%d clock reads in a turn of 1024 datagrams, want one and one each 256", n)
	}
}

func testLoopAllocs(s *stand) {
	if raceEnabled {
		return // its instrumentation allocates
	}
	tok := s.loop.Register(handlerFunc(func(ev ioevent.Event) bool { return ev.Ready&ioevent.Write != 0 }))
	t := newTimer(func(ioevent.Time) {})
	if s.mechanism.Files {
		p := newPair(s.T)
		p.send()
		s.must("Watch", s.loop.Watch(s.loop.Register(handlerFunc(func(ioevent.Event) bool { return false })), p.fd, ioevent.Read))
	}
	turn := func() {
		now := ioevent.Now()
		s.loop.Start(&t.timer, now+ms)
		s.loop.Notify(tok)
		s.loop.Poll(now)
		s.loop.Ready(tok)
		s.loop.Stop(&t.timer)
		s.loop.Start(&t.timer, now)
		s.loop.Expire(now)
		if err := s.loop.Unregister(s.loop.Register(handlerFunc(nil))); err != nil {
			s.Error(err)
		}
	}
	if n := testing.AllocsPerRun(200, turn); n != 0 {
		s.Errorf("%v allocations a turn", n)
	}
}
