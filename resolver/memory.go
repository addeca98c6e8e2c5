package resolver

import "github.com/dnsq/dnsq/internal/wire"

// memory is what a socket or a connection remembers of the queries that have ended on it, the last of each ID. Those that were lost are apart: they are few,
// and the use that an ID is put to next is not to push them out before their replies come.
type memory struct {
	answered, lost traces
}

// traces has room for a trace of every ID, made where it is used.
type traces struct{ pages *[1 << 8]*[1 << 8]trace }

// trace is a query in 8 octets: in the lower half a hash of its question, and in the upper one when it was sent, in units of 1,024 ns. That comes round after 73
// minutes. 0 is none.
type trace uint64

const traceUnit = 10 // 2^10 ns

func newTrace(hash uint32, sent Time) trace {
	return trace(uint32(sent>>traceUnit))<<32 | trace(hash|1)
}

// fits reports whether t is of a question with that hash.
func (t trace) fits(hash uint32) bool { return uint32(t) == hash|1 }

// age is the time since the query was sent.
func (t trace) age(now Time) Time {
	return Time(uint32(now>>traceUnit)-uint32(t>>32)) << traceUnit
}

func (t *traces) at(id uint16) trace {
	if t.pages == nil || t.pages[id>>8] == nil {
		return 0
	}
	return t.pages[id>>8][id&0xff]
}

func (t *traces) set(id uint16, to trace) {
	if t.pages == nil {
		t.pages = new([1 << 8]*[1 << 8]trace)
	}
	page := t.pages[id>>8]
	if page == nil {
		page = new([1 << 8]trace)
		t.pages[id>>8] = page
	}
	page[id&0xff] = to
}

// note remembers p, which gives up that ID.
func (m *memory) note(id uint16, p *pending) {
	hash, _ := wire.QuestionHash(p.msg)
	into := &m.lost
	if p.answered {
		into = &m.answered
	}
	into.set(id, newTrace(hash, p.sent))
}

// identify finds the query that msg, which has a header, is a reply to: a lost one is Late once, and what comes after that a Duplicate. Where there is none the
// kind is 0.
func (m *memory) identify(id uint16, msg []byte, now Time) (StrayKind, Time) {
	h, _ := wire.PeekHeader(msg)
	if !h.Response() {
		return 0, 0
	}
	lost, answered := m.fitting(m.lost.at(id), &h, msg), m.fitting(m.answered.at(id), &h, msg)
	switch {
	case lost == 0 && answered == 0:
		return 0, 0
	case lost == 0 || answered != 0 && answered.age(now) < lost.age(now): // of one question asked twice under one ID it is the later, more likely
		return Duplicate, answered.age(now)
	}
	m.lost.set(id, 0)
	m.answered.set(id, lost)
	return Late, lost.age(now)
}

// fitting is t where msg has its question, or is an error without one as match accepts it; else 0.
func (m *memory) fitting(t trace, h *wire.Header, msg []byte) trace {
	if h.QD == 0 && len(msg) == wire.HeaderLen && failed(uint16(h.Rcode())) {
		return t
	}
	if hash, ok := wire.QuestionHash(msg); ok && h.QD == 1 && t.fits(hash) {
		return t
	}
	return 0
}
