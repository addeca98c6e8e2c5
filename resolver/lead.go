package resolver

import (
	"context"
	"math/rand/v2"
	"sync/atomic"

	"github.com/dnsq/dnsq/ioevent"
)

// Who turns a shard's loop, and with that owns its engine. It begins with nobody. From there
//
//   - a goroutine that waits for an answer takes the lead: it submits to the engine itself, turns the loop on its own thread, and so sleeps, receives and
//     wakes without another. A leader knows no queries but its own and never looks into the inbox: no Done of the user's runs on its goroutine. When
//     its answers are in, nobody turns again. When something is left in the inbox, or when its context ends, it hands over to
//   - the shard's goroutine, which turns for everybody, and gives up once nothing is in flight, and that has happened often enough since the last crowd.
//
// Timers that still run when somebody gives up, as those of idle connections do, are the alarm's, which calls the shard's goroutine.
//
// Whoever leaves something in the inbox looks at the state after that: it calls the shard's goroutine where nobody turns, or wakes the loop. Whoever
// gives up looks into the inbox after that. So one of the two sees the other, as in Dekker's algorithm.
const (
	parked  uint32 = iota // nobody; the shard's goroutine waits for its turn
	led                   // a goroutine that waits for an answer
	looping               // the shard's goroutine, in the poller or about
)

// baton is that state.
type baton struct {
	state atomic.Uint32
	turn  chan struct{} // one token for each change to looping, for the shard's goroutine
}

func newBaton() baton { return baton{turn: make(chan struct{}, 1)} }

// lead takes the lead and reports whether it did.
func (b *baton) lead() bool {
	return b.state.Load() == parked && b.state.CompareAndSwap(parked, led)
}

// call is called with something left in the inbox. It reports whether somebody turns, who has to be woken; else it calls the shard's goroutine.
func (b *baton) call() (wake bool) {
	for b.state.Load() == parked {
		if b.state.CompareAndSwap(parked, looping) {
			b.turn <- struct{}{}
			return false
		}
	}
	return true
}

// handOver ends a lead in favour of the shard's goroutine.
func (b *baton) handOver() {
	b.state.Store(looping)
	b.turn <- struct{}{}
}

// park gives up what the caller has, so that nobody turns, unless something was left meanwhile: then the shard's goroutine does.
func (b *baton) park(left func() bool) {
	b.state.Store(parked)
	if left() {
		b.call()
	}
}

// crowd is how often the shard's goroutine has nothing left to do before it gives up. Callers that keep meeting cost a hand-over each time they do.
const crowd = 16

// turns turns the loop whenever it is the goroutine's turn.
func (s *shard) turns() {
	for s.err == nil && !s.engine.closed {
		<-s.baton.turn
		if s.inbox.queries() {
			s.stay = crowd
		}
		s.alarm.heard()
		s.err = s.engine.loop.Run(s.tick)
		if s.err == nil && !s.engine.closed {
			s.park()
		}
	}
}

// over reports whether the goroutine should give up its turn. It is asked before those run whom a Done has made ready: one that calls again and
// again is alone.
func (s *shard) over() bool {
	if s.engine.inFlight > 0 || s.inbox.waiting() {
		return false
	}
	if s.callers.Load() > 1 { // they have their answers and did not run yet: with one processor, one that led would keep the others from calling
		s.stay = crowd
		return false
	}
	if s.completed != s.engine.stats.Completed {
		s.stay--
	}
	return s.stay <= 0
}

// park gives up the turn, so that nobody turns until something is left in the inbox, a timer is due, or a caller leads.
func (s *shard) park() {
	s.alarm.set(s.engine.loop.Next(), s.engine.loop.Now())
	s.baton.park(s.called)
}

// called reports whether the shard's goroutine has something to see to.
func (s *shard) called() bool { return s.inbox.waiting() || s.alarm.rang.Load() }

// ask submits the queries of ws to one shard and reports how many were taken; err is why one was not. Where nobody turns a shard, the caller leads until
// they are done or it hands over: either way each waiter is told.
func (r *Resolver) ask(ctx context.Context, ws ...*waiter) (taken int, err error) {
	s, leads := r.seat()
	s.callers.Add(1)
	ws[0].shard = s
	if leads {
		defer s.endLead()
	}
	for _, w := range ws {
		if err = s.take(&w.q, leads); err != nil {
			break
		}
		taken++
	}
	if leads && taken > 0 {
		s.lead(ctx)
	}
	return taken, err
}

// seat picks a shard, one that the caller leads where there is one that nobody else calls: not with Config.Stray, which is the user's code.
func (r *Resolver) seat() (s *shard, leads bool) {
	n := len(r.shards)
	first := rand.IntN(n)
	for i := range n {
		if r.cfg.Stray != nil {
			break
		}
		if s := r.shards[(first+i)%n]; s.callers.Load() == 0 && s.baton.lead() {
			return s, true
		}
	}
	return r.shards[first], false
}

// take is submit for a caller that may lead.
func (s *shard) take(q *Query, leads bool) error {
	if !leads {
		return s.submit(q)
	}
	if err := s.admit(q); err != nil {
		return err
	}
	if err := s.engine.Submit(q); err != nil {
		s.inFlight.Add(-1)
		return err
	}
	return nil
}

// lead turns the loop until the leader's queries, which are all there are, have ended, or it has to hand over.
func (s *shard) lead(ctx context.Context) {
	e := s.engine
	ends := ctx.Done() != nil
	if ends {
		stop := context.AfterFunc(ctx, s.wake)
		defer stop()
	}
	now := ioevent.Now()
	e.loop.Counters().ClockReads++
	e.loop.Expire(now)
	s.spin.start(now)
	for {
		more := e.turn(now)
		if e.inFlight == 0 {
			s.spin.answered()
			return
		}
		if s.inbox.waiting() || ends && ctx.Err() != nil {
			return
		}
		var err error
		if now, err = e.loop.Turn(more || s.spin.on(now)); err != nil {
			return // the shard's goroutine meets it too
		}
	}
}

// endLead gives up the lead, to nobody where nothing is left.
func (s *shard) endLead() {
	if s.engine.inFlight == 0 {
		s.park()
	} else {
		s.baton.handOver()
	}
}
