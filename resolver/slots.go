package resolver

import "github.com/dnsq/dnsq/backend"

const (
	slotSize   = 2048 // of one receive slot, in octets; what is larger goes to the arena's overflow
	leastSlots = 2    // one query outstanding needs one, and the second tells that there is no more
	callSlots  = 100  // slots offered cost as much as a receive and its turn: 650 ns and 6 ns where they were measured; a faster machine has less of both
	calmLimit  = 16   // receives that half the slots would have done for, less what the rest saved, before there are fewer
)

// slots are the receive buffers that the sockets of an engine share. A receive is offered as many as came lately and some more, because
// each costs a little whether it is filled or not, and one too few costs a system call and a turn. "dnsq bench recv --distribution" measures both
// costs and how many come in a wake, reckons the best width from them, and shows beside it what this rule offers, which has the same end. Memory grows with the most ever offered.
type slots struct {
	all   []backend.Datagram // made so far
	most  int
	width int  // offered
	full  bool // the last receive filled all
	cut   bool // it was offered less than the width
	short int  // what twice the width would have saved of late, in slots
	spare int  // what half the width would have saved of late
}

func newSlots(most int) slots {
	return slots{most: most, width: min(leastSlots, most)}
}

// offer returns the slots for one receive, so many at most.
func (s *slots) offer(most int) []backend.Datagram {
	if have := len(s.all); have < s.width {
		octets := make([]byte, (s.width-have)*slotSize)
		for ; len(octets) > 0; octets = octets[slotSize:] {
			s.all = append(s.all, backend.Datagram{Buf: octets[:slotSize:slotSize]})
		}
	}
	s.cut = most < s.width
	return s.all[:min(s.width, most)]
}

// took adapts the width to a receive that filled n slots. One that filled all would with twice the width have saved another; one that begins a wake and did not
// fill them would have been offered as many more for nothing. With half the width, one that filled half or more would have been two. What that would have
// saved is summed up, and where it has come to something the width follows: while it is small at once to more, and slowly to less.
func (s *slots) took(n int) {
	if s.cut && n > 0 {
		return // whether more would have come is not known
	}
	half, full := s.width/2, n == s.width
	switch {
	case full:
		s.short += callSlots
	case !s.full:
		s.short = max(s.short-s.width, 0)
	}
	s.full = full
	if n < half {
		s.spare += half
	} else {
		s.spare = max(s.spare-callSlots, 0)
	}
	switch {
	case s.short >= s.width:
		s.resize(min(2*s.width, s.most))
	case s.spare >= calmLimit*half:
		s.resize(max(half, min(leastSlots, s.most)))
	}
}

func (s *slots) resize(width int) { s.width, s.short, s.spare = width, 0, 0 }
