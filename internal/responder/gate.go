package responder

import (
	"sync"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// A gate decides how each query of a server fares. All threads and connections share it, so that a share, a rate and a stall are the server's.
type gate struct {
	stall Stall

	mu      sync.Mutex // all below
	first   ioevent.Time
	loser   loser
	limiter limiter
	delayer delayer
}

// newGate returns nil where queries all fare alike and nobody has to ask.
func newGate(f *Faults) *gate {
	if !f.chosen() {
		return nil
	}
	return &gate{stall: f.Stall, loser: newLoser(f), limiter: newLimiter(f), delayer: newDelayer(f)}
}

// judge decides about a query that is seen at now and came between since and then: its answer is due then, or it gets none for the reason why.
func (g *gate) judge(since, now ioevent.Time) (due ioevent.Time, why kind) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first == 0 {
		g.first = now
	}
	if g.loser.next() {
		return 0, lost
	}
	due, ok := g.limiter.take(since, now)
	if !ok {
		return 0, limited
	}
	return due + ioevent.Time(g.delayer.next()), answered
}

// pause sleeps through the rest of a stall, unless done comes before, and reports whether there was one.
func (g *gate) pause(now ioevent.Time, done <-chan struct{}) bool {
	if g.stall.Length == 0 {
		return false
	}
	g.mu.Lock()
	first := g.first
	g.mu.Unlock()
	if first == 0 {
		return false
	}
	left := g.stall.left(first, now)
	if left == 0 {
		return false
	}
	t := time.NewTimer(left)
	defer t.Stop()
	select {
	case <-t.C:
	case <-done:
	}
	return true
}
