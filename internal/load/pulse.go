package load

import (
	"slices"
	"sync/atomic"
	"time"
)

// A pulse is what the shards of a run know of each other: whether anybody answers, and whether to stop. They look at it some twenty times a second.
type pulse struct {
	stop     atomic.Bool
	answered atomic.Bool
	refused  atomic.Bool  // by every server
	since    atomic.Int64 // when a shard first sent, 0: none has yet
	patience Time         // for the first answer
	begin    func()       // called by each shard that comes to the measured part
}

// refusalPatience is how long nothing but refusals may come, some from each server, leastPatience the least of how long nothing at all may.
const (
	refusalPatience = Time(500 * time.Millisecond)
	leastPatience   = Time(3 * time.Second)
)

func newPulse(timeout Time, begin func()) *pulse {
	return &pulse{patience: max(2*timeout, leastPatience), begin: begin}
}

// beat tells the others what s has seen, and s whether to stop.
func (p *pulse) beat(s *shard, now Time) (why ending, yes bool) {
	switch {
	case p.stop.Load():
		return stopped, true
	case p.answered.Load():
		return 0, false
	case s.tally.answers > 0:
		p.answered.Store(true)
		return 0, false
	}
	if !slices.Contains(s.tally.refusedBy, false) {
		p.refused.Store(true)
	}
	if s.began != 0 {
		p.since.CompareAndSwap(0, int64(s.began))
	}
	since := Time(p.since.Load())
	silent := now - since
	return unreachable, since != 0 && (silent >= p.patience || p.refused.Load() && silent >= refusalPatience)
}
