package resolver

import "net/netip"

// A Stray is a message that answered no outstanding query.
type Stray struct {
	// Kind is what it is, as far as the engine remembers.
	Kind StrayKind
	// Msg is the message as it came, valid until Config.Stray returns. It may be shorter than a header.
	Msg []byte
	// Server is whose socket or connection it came to, over Transport.
	Server    netip.AddrPort
	Transport Transport
	// RTT is the time from the send of the query that it was a reply to: of a Late, Duplicate or Malformed one, to some 2 µs; else 0.
	RTT Time
}

// StrayKind says what a Stray is.
type StrayKind uint8

// The kinds of strays. A query here is one send of it, with an ID of its own.
const (
	Late        StrayKind = iota + 1 // the reply to a query that ended without: its time was over, or it was canceled
	Duplicate                        // a reply to a query that has had one
	Mismatched                       // the ID of an outstanding query, with another question or no response
	Unsolicited                      // nothing that is remembered
	Malformed                        // a reply to an outstanding query that cannot be read
)

func (k StrayKind) String() string {
	switch k {
	case Late:
		return "late"
	case Duplicate:
		return "duplicate"
	case Mismatched:
		return "mismatched"
	case Unsolicited:
		return "unsolicited"
	case Malformed:
		return "malformed"
	}
	return "none"
}

// recall is what a message is that answers nothing outstanding, where m remembers the query that it was a reply to, which it counts; else it is of the kind
// given.
func (e *Engine) recall(m *memory, id uint16, msg []byte, kind StrayKind, now Time) Stray {
	if e.cfg.Stray == nil {
		return Stray{Kind: kind}
	}
	known, rtt := m.identify(id, msg, now)
	switch known {
	case Late:
		e.stats.Late++
	case Duplicate:
		e.stats.Duplicate++
	default:
		known = kind
	}
	return Stray{Kind: known, RTT: rtt}
}

// tell shows a stray to the caller. What that does must not find the engine in between: the caller of tell is done with what the message is about.
func (e *Engine) tell(s Stray, msg []byte, from *server, via Transport) {
	if e.cfg.Stray == nil {
		return
	}
	s.Msg, s.Server, s.Transport = msg, from.addr, via
	e.stray = s
	e.inside, e.ran = true, true
	if e.shard != nil {
		e.shard.userCode.Store(true)
	}
	defer e.told()
	e.cfg.Stray(&e.stray)
}

// told ends tell; a panic in the caller's function harms no query.
func (e *Engine) told() {
	if v := recover(); v != nil {
		e.stats.Panics++
		if e.cfg.Panic != nil {
			e.cfg.Panic(nil, v)
		}
	}
	e.inside = false
	if e.shard != nil {
		e.shard.left()
	}
}
