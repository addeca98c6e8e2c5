package main

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/miekg/dns"
)

// The parts of a message that hold records.
const (
	answer = iota
	authority
	additional
)

const headerLen = 12

// message is a reply taken apart for printing. It is the wire form that is printed: dns.Msg gives up where it does not understand one record.
type message struct {
	raw       []byte
	bits      uint16    // of the header
	counts    [4]uint16 // of the header
	questions []question
	sections  [3][]record // the OPT record apart
	opt       *record
}

type question struct {
	name       string
	typ, class uint16
}

// record has its data at raw[data:end].
type record struct {
	question
	ttl              uint32
	start, data, end int
}

var errBroken = errors.New("the reply ends inside a record")

// decode takes raw apart. The reply passed the resolver's checks, so an error is a fault of this program.
func decode(raw []byte) (*message, error) {
	if len(raw) < headerLen {
		return nil, errBroken
	}
	be := binary.BigEndian
	m := &message{raw: raw, bits: be.Uint16(raw[2:])}
	for i := range m.counts {
		m.counts[i] = be.Uint16(raw[4+2*i:])
	}
	off := headerLen
	for range m.counts[0] {
		q, end, err := m.question(off)
		if err != nil {
			return nil, err
		}
		m.questions = append(m.questions, q)
		off = end
	}
	for section, n := range m.counts[1:] {
		for range n {
			r, err := m.record(off)
			if err != nil {
				return nil, err
			}
			off = r.end
			if r.typ == dns.TypeOPT && section == additional {
				m.opt = &r
			} else {
				m.sections[section] = append(m.sections[section], r)
			}
		}
	}
	return m, nil
}

// question reads a name, a type and a class, with which a record begins too.
func (m *message) question(off int) (q question, end int, err error) {
	name, end, err := dns.UnpackDomainName(m.raw, off)
	if err != nil {
		return q, 0, fmt.Errorf("the name at octet %d of the reply: %w", off, err)
	}
	if end+4 > len(m.raw) {
		return q, 0, errBroken
	}
	be := binary.BigEndian
	return question{escapeAsDig(name), be.Uint16(m.raw[end:]), be.Uint16(m.raw[end+2:])}, end + 4, nil
}

func (m *message) record(off int) (record, error) {
	q, end, err := m.question(off)
	if err != nil {
		return record{}, err
	}
	if end+6 > len(m.raw) {
		return record{}, errBroken
	}
	be := binary.BigEndian
	r := record{question: q, ttl: be.Uint32(m.raw[end:]), start: off, data: end + 6}
	if r.end = r.data + int(be.Uint16(m.raw[end+4:])); r.end > len(m.raw) {
		return record{}, errBroken
	}
	return r, nil
}

// rcode is the response code with its EDNS extension (RFC 6891 6.1.3).
func (m *message) rcode() int {
	rcode := int(m.bits & 15)
	if m.opt != nil {
		rcode |= int(m.opt.ttl>>24) << 4
	}
	return rcode
}

func (m *message) id() uint16 { return binary.BigEndian.Uint16(m.raw) }
