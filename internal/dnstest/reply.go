package dnstest

import (
	"encoding/binary"
	"net/netip"
	"slices"

	"github.com/miekg/dns"
)

// Response returns the start of a reply: the query's ID and question, QR and RA
// set, no OPT record.
func (q Request) Response() *dns.Msg {
	m := new(dns.Msg).SetReply(q.Query)
	m.RecursionAvailable = true
	return m
}

// Reply answers with Response as f changes it.
func Reply(f func(m *dns.Msg)) Handler {
	return func(w *Writer, q Request) {
		m := q.Response()
		f(m)
		w.SendMsg(m)
	}
}

// A answers for whatever name is asked, with TTL 60: a question for A with the
// IPv4 addresses, one for AAAA with the IPv6 addresses, any other with no record.
func A(addrs ...string) Handler {
	parsed := make([]netip.Addr, len(addrs))
	for i, a := range addrs {
		parsed[i] = netip.MustParseAddr(a)
	}
	return Reply(func(m *dns.Msg) {
		q := m.Question[0]
		head := dns.RR_Header{Name: q.Name, Rrtype: q.Qtype, Class: q.Qclass, Ttl: 60}
		for _, a := range parsed {
			switch {
			case q.Qtype == dns.TypeA && a.Is4():
				m.Answer = append(m.Answer, &dns.A{Hdr: head, A: a.AsSlice()})
			case q.Qtype == dns.TypeAAAA && a.Is6():
				m.Answer = append(m.Answer, &dns.AAAA{Hdr: head, AAAA: a.AsSlice()})
			}
		}
	})
}

// Answer answers with the records given, in zone-file form, whatever is asked.
// It panics on one that cannot be read.
func Answer(records ...string) Handler {
	rrs := make([]dns.RR, len(records))
	for i, r := range records {
		rr, err := dns.NewRR(r)
		if err != nil {
			panic("dnstest: " + err.Error())
		}
		rrs[i] = rr
	}
	return Reply(func(m *dns.Msg) { m.Answer = slices.Clone(rrs) })
}

// Rcode answers with the code, the question and nothing else.
func Rcode(code int) Handler { return Reply(func(m *dns.Msg) { m.Rcode = code }) }

// Truncated answers with TC set, the question and nothing else.
func Truncated() Handler { return Reply(func(m *dns.Msg) { m.Truncated = true }) }

// HeaderOnly answers with the code in 12 octets.
func HeaderOnly(code int) Handler {
	return Reply(func(m *dns.Msg) { m.Rcode, m.Question = code, nil })
}

// Echo sends the query back as it came: QR is 0.
func Echo(w *Writer, q Request) { w.Send(q.Msg) }

// Silent does not answer. Over TCP the connection stays open and hangs.
func Silent(*Writer, Request) {}

// Empty sends an empty datagram or, over TCP, a frame of length 0.
func Empty(w *Writer, _ Request) { w.Send(nil) }

// Raw sends octets as they are: as one datagram or, over TCP, as octets of the
// stream with no length before them.
func Raw(octets []byte) Handler {
	return func(w *Writer, _ Request) { w.Raw(octets) }
}

// Vector sends a stored message with the query's ID in its first two octets.
func Vector(msg []byte) Handler {
	return func(w *Writer, q Request) { w.Send(setID(slices.Clone(msg), q.ID())) }
}

// Junk sends n octets: the query's ID and n-2 of no meaning, the same in each
// run.
func Junk(n int) Handler {
	octets := make([]byte, n)
	x := uint32(2463534242)
	for i := range octets { // xorshift: junk, but the same in each run
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		octets[i] = byte(x)
	}
	return Vector(octets)
}

// setID writes as much of id as msg has room for.
func setID(msg []byte, id uint16) []byte {
	copy(msg, binary.BigEndian.AppendUint16(nil, id))
	return msg
}
