package responder

import "time"

// Stats counts since the Server was opened. Received is the sum of Answered, Lost, Limited, Unsent, Ignored and Held, and over UDP
// what clients sent that of received and DroppedKernel, as far as it got here.
type Stats struct {
	Received      uint64 `json:"received"`       // messages
	Answered      uint64 `json:"answered"`       // given to the system
	Lost          uint64 `json:"dropped_loss"`   // by Faults.Loss
	Limited       uint64 `json:"dropped_limit"`  // by Faults.Limit
	Unsent        uint64 `json:"dropped_send"`   // answers for which the socket, or the memory for late ones, had no room, or that were late at the end
	Ignored       uint64 `json:"ignored"`        // no queries: too short, or responses
	Held          uint64 `json:"held"`           // whose answers are not due yet or wait for the socket
	DroppedKernel uint64 `json:"dropped_kernel"` // for want of room in the receive queue; as far as the system tells
	OverTCP       uint64 `json:"over_tcp"`       // messages received
	Connections   uint64 `json:"connections"`    // over TCP
}

// Since is what was counted after before. Held is as it is.
func (s Stats) Since(before Stats) Stats {
	s.Received -= before.Received
	s.Answered -= before.Answered
	s.Lost -= before.Lost
	s.Limited -= before.Limited
	s.Unsent -= before.Unsent
	s.Ignored -= before.Ignored
	s.DroppedKernel -= before.DroppedKernel
	s.OverTCP -= before.OverTCP
	s.Connections -= before.Connections
	return s
}

// patience bounds how long Stats waits for a thread that stalls.
const patience = 20 * time.Millisecond

// Stats returns the counters. They stay after Close.
func (s *Server) Stats() Stats {
	s.asking.Lock()
	defer s.asking.Unlock()
	var t tally
	var st Stats
	for _, sh := range s.shards {
		st.DroppedKernel += sh.dropped()
	}
	for _, sh := range s.shards {
		sh.counters.addTo(&t)
	}
	before := t[received]
	s.tcp.counters.addTo(&t)
	st.OverTCP, st.Connections = t[received]-before, s.tcp.accepted.Load()
	st.Received, st.Answered, st.Lost, st.Limited, st.Unsent, st.Ignored = t[received], t[answered], t[lost], t[limited], t[unsent], t[ignored]
	st.Held = st.Received - st.Answered - st.Lost - st.Limited - st.Unsent - st.Ignored
	return st
}

// dropped asks the loop, which is too busy with something else if it does not tell soon.
func (s *shard) dropped() uint64 {
	if s.server.closing() {
		return s.drops.Load()
	}
	select {
	case <-s.told: // an answer that came late
	default:
	}
	s.ask.Store(true)
	s.loop.Wake()
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-s.told:
	case <-t.C:
	}
	return s.drops.Load()
}
