package ioeventtest

import (
	"slices"

	"github.com/dnsq/dnsq/ioevent"
)

func testLoopBytes(s *stand) {
	const pairs, rounds = 8, 200
	got, want := make([]int, pairs), slices.Repeat([]int{rounds}, pairs)
	ps := make([]*pair, pairs)
	for i := range ps {
		ps[i] = newPair(s.T)
		tok := s.loop.Register(handlerFunc(func(ioevent.Event) bool {
			n := ps[i].receive()
			got[i] += n
			s.loop.Spent(n)
			return n == 0 // one at a time: dry is seen by the empty receive
		}))
		s.must("Watch", s.loop.Watch(tok, ps[i].fd, ioevent.Read))
	}
	s.after(0, func() {
		for range rounds {
			for _, p := range ps {
				p.send()
			}
		}
	})
	s.run(func(ioevent.Time) (more, enough bool) { return false, slices.Equal(got, want) })
}

func testLoopUnregister(s *stand) {
	ps := []*pair{newPair(s.T), newPair(s.T)}
	toks := make([]ioevent.Token, 2)
	called := 0
	for i := range ps {
		toks[i] = s.loop.Register(handlerFunc(func(ioevent.Event) bool {
			called++
			for _, tok := range toks { // also the one whose event came in the same wait
				s.must("Unregister", s.loop.Unregister(tok))
			}
			return false
		}))
		s.must("Watch", s.loop.Watch(toks[i], ps[i].fd, ioevent.Read))
		ps[i].send()
	}
	turns := 0
	s.run(func(ioevent.Time) (more, enough bool) { turns++; return true, turns == 5 })
	if called != 1 {
		s.Errorf("%d calls, want one that ended both registrations", called)
	}
}

// testLoopNested turns the loop from another one, which watches its descriptor.
func testLoopNested(s *stand) {
	if s.loop.FD() < 0 {
		return // the mechanism offers no descriptor
	}
	outer, err := ioevent.NewLoop(ioevent.Config{})
	s.must("NewLoop", err)
	defer outer.Close()
	p := newPair(s.T)
	got, want := 0, 3
	inner := s.loop.Register(handlerFunc(func(ioevent.Event) bool { got++; return true }))
	s.must("Watch", s.loop.Watch(inner, p.fd, ioevent.Read))
	t := newTimer(func(ioevent.Time) {})
	turn := func(now ioevent.Time) {
		s.loop.Poll(now)
		if next := s.loop.Expire(now); next != ioevent.Never {
			outer.Start(&t.timer, next)
		}
		if got == want {
			outer.Quit()
		}
	}
	t.what = turn
	tok := outer.Register(handlerFunc(func(ioevent.Event) bool { turn(outer.Now()); return true }))
	s.must("Watch", outer.Watch(tok, s.loop.FD(), ioevent.Read))
	expired := newTimer(func(ioevent.Time) { p.drain(); s.loop.Notify(inner) })
	s.loop.Start(&expired.timer, ioevent.Now()+20*ms)
	outer.Start(&t.timer, 0)
	s.after(5*ms, func() { s.loop.Notify(inner) })
	s.after(10*ms, p.send)
	late := newTimer(func(ioevent.Time) { s.Errorf("%d of %d calls", got, want); outer.Quit() })
	outer.Start(&late.timer, ioevent.Now()+ioevent.Time(slack))
	s.must("Run", outer.Run(nil))
}
