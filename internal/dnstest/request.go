package dnstest

import (
	"encoding/binary"
	"net"
	"net/netip"
	"strings"

	"github.com/miekg/dns"
)

// The transports of a Request.
const (
	UDP = "udp"
	TCP = "tcp"
)

// A Handler answers one query, or does not. It runs on the goroutine that reads
// the server's socket or the connection: while it runs, nothing else is read
// from there. It may keep w and use it later, from any goroutine, until the
// server is closed.
type Handler func(w *Writer, q Request)

// A Request is one query as it arrived.
type Request struct {
	// Msg is the whole message and belongs to the handler.
	Msg []byte
	// Query is Msg decoded.
	Query *dns.Msg
	// Question is the first question, its name spelled as it came.
	Question dns.Question
	// Transport is UDP or TCP.
	Transport string
	// From is the client's address.
	From netip.AddrPort
	// N counts the arrivals of this question over this transport, this one
	// included: 1 for the first.
	N int
	// EDNS says that the query holds an OPT record.
	EDNS bool
}

// ID returns the message ID.
func (q Request) ID() uint16 { return binary.BigEndian.Uint16(q.Msg) }

// parse decodes msg, which it keeps. It reports false for what is not a query
// with a question.
func parse(msg []byte, transport string, from net.Addr) (Request, bool) {
	m := new(dns.Msg)
	if err := m.Unpack(msg); err != nil || m.Response || len(m.Question) == 0 {
		return Request{}, false
	}
	return Request{
		Msg:       msg,
		Query:     m,
		Question:  m.Question[0],
		Transport: transport,
		From:      addrPort(from),
		EDNS:      m.IsEdns0() != nil,
	}, true
}

// addrPort converts the address of a real or an in-memory network; IPv4 comes
// out as IPv4 from an IPv6 socket too.
func addrPort(a net.Addr) netip.AddrPort {
	var ap netip.AddrPort
	switch a := a.(type) {
	case *net.UDPAddr:
		ap = a.AddrPort()
	case *net.TCPAddr:
		ap = a.AddrPort()
	default:
		ap, _ = netip.ParseAddrPort(a.String())
	}
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
}

// key tells questions apart, without regard to case.
type key struct {
	name        string
	qtype, qcls uint16
}

func keyOf(q dns.Question) key {
	return key{strings.ToLower(dns.Fqdn(q.Name)), q.Qtype, q.Qclass}
}
