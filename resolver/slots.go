package resolver

import "github.com/dnsq/dnsq/backend"

const (
	slotSize   = 2048 // of one receive slot, in octets; what is larger goes to the arena's overflow
	leastSlots = 2    // one query outstanding needs one, and the second tells that there is no more
	calmLimit  = 16   // receives in a row that fewer slots would have done for, before there are fewer
)

// slots are the receive buffers that the sockets of an engine share. A receive is offered as many as came lately and some more, because
// each costs a little whether it is filled or not, and one too few costs a system call and a turn. "dnsq bench recv --distribution" measures both
// costs and how many come in a wake, and reckons the best width from them: what this rule aims at without knowing either. Memory grows with the most ever offered.
type slots struct {
	all   []backend.Datagram // made so far
	most  int
	width int // offered
	calm  int // receives in a row that half the width would have done for
}

func newSlots(most int) slots {
	return slots{most: most, width: min(leastSlots, most)}
}

// offer returns the slots for one receive.
func (s *slots) offer() []backend.Datagram {
	if have := len(s.all); have < s.width {
		octets := make([]byte, (s.width-have)*slotSize)
		for ; len(octets) > 0; octets = octets[slotSize:] {
			s.all = append(s.all, backend.Datagram{Buf: octets[:slotSize:slotSize]})
		}
	}
	return s.all[:s.width]
}

// took adapts the width to a receive that filled n slots: at once to more, slowly to less.
func (s *slots) took(n int) {
	switch {
	case n == s.width:
		s.width, s.calm = min(2*s.width, s.most), 0
	case 2*n >= s.width:
		s.calm = 0
	default:
		if s.calm++; s.calm >= calmLimit {
			s.width, s.calm = max(s.width/2, min(leastSlots, s.most)), 0
		}
	}
}
