package load

import (
	"github.com/dnsq/dnsq/resolver"
)

// A flight is one query on its way. It is used again for another when that has ended, so that the way a query goes costs no memory.
type flight struct {
	query    resolver.Query
	shard    *shard
	intended Time // in an open plan: when it was to be sent
	row      uint16
	target   uint16
	warm     bool // it counts in nothing
}

// moreFlights is how many are made at once.
const moreFlights = 256

// takeFlight returns one that is free.
func (s *shard) takeFlight() *flight {
	if len(s.free) == 0 {
		s.makeFlights()
	}
	f := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	return f
}

func (s *shard) makeFlights() {
	list := make([]flight, moreFlights)
	for i := range list {
		f := &list[i]
		f.shard = s
		f.query.Flags = s.flags
		f.query.Done = f.done // the one closure that it ever needs
		s.free = append(s.free, f)
	}
}

// done is the query's end.
func (f *flight) done(_ *resolver.Query, r *resolver.Reply, err error) {
	s := f.shard
	s.out--
	now := s.engine.Now()
	if now >= s.rollAt {
		s.roll(now)
	}
	switch {
	case err != nil:
		s.lost(f, s.fate(f, err), sentAt(err, now, f.intended), now)
	case r.RTT > s.timeout: // it was read before the clock was looked at
		s.overdue(f, r.RTT, now)
	default:
		s.answered(f, r, now)
	}
	s.free = append(s.free, f)
}
