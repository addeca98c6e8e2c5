package load

import "github.com/dnsq/dnsq/resolver"

// stray books a message that answered nothing that was outstanding.
func (s *shard) stray(x *resolver.Stray) {
	n := &s.tick.Strays
	switch x.Kind {
	case resolver.Late:
		s.tally.answers++
		if s.engine.Now()-x.RTT < s.measured && s.tick.At >= 0 {
			return // of a query of the warm-up
		}
		n.Late++
		if s.tick.At >= 0 {
			record(s.tally.late, x.RTT)
		}
	case resolver.Duplicate:
		n.Duplicate++
	case resolver.Mismatched:
		n.Mismatched++
	case resolver.Malformed:
		n.Malformed++
	default:
		n.Unsolicited++
	}
}
