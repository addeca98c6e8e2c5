package resolver

import (
	"net/netip"

	"github.com/dnsq/dnsq/ioevent"
)

// Time is a number of nanoseconds on the process's monotonic clock, as ioevent.Now returns it.
type Time = ioevent.Time

// Question is what is asked. The zero Class means IN.
type Question struct {
	// Name is a domain name in presentation form, taken as absolute with or without its final dot.
	Name  string
	Type  uint16
	Class uint16
}

// Flags are the header and EDNS bits a query can choose.
type Flags uint16

const (
	NoRecurse        Flags = 1 << iota // send RD=0
	CheckingDisabled                   // send CD=1
	AuthenticData                      // send AD=1: "I understand AD" (RFC 6840 5.7)
	DNSSEC                             // send DO=1 (RFC 3225)
	NoEDNS                             // send no OPT record
	OverTCP                            // ask over TCP from the start
	IgnoreTruncation                   // take a truncated UDP reply as it is
	// Once makes the query one send and what comes of it, for who counts sends: it goes to the first server, as it is, once. The first reply that
	// matches is the answer, whatever its code, truncated, lame or about EDNS. What else ends it is its error: no reply within Config.Timeout
	// (earlier by the Deadline), a network error, a connection that failed, a send that the system refused for whatever reason. There is no second
	// try, server, transport or connection, and what looks forged starts nothing. A timeout leaves a TCP connection as it is, unless nothing has moved on it since the query was sent.
	//
	// With Raw such a query is not decoded: Question stays as the caller set it, if at all. With an Engine Raw may be changed once Submit has
	// returned. Where it gets a reply it costs no allocation.
	Once
)

// Query is one lookup on its way. The caller fills the fields and hands it to Submit; from a nil Submit to the end of Done it belongs
// to the engine, and nobody may touch it. After an error from Submit there is no Done and the Query is the caller's again. A Query may be used
// again once Done was entered, inside Done too.
type Query struct {
	Question
	Flags Flags
	// UDPSize is the EDNS payload size offered; 0 means Config.UDPSize. Sizes under 512 mean 512 (RFC 6891 6.2.3).
	UDPSize uint16

	round uint32 // twice the completions, so that a late Cancel does not hit the next use, and waited; atomic

	// Raw, where not nil, is a whole query message to send instead of one made from Question and Flags; Question is then read from it and its
	// ID is replaced on the wire, not in Raw. It must not change while the query is outstanding. See Once for one that is used to count.
	Raw []byte
	// Servers, where not nil, are asked instead of Config.Servers. It must not change while the query is outstanding.
	Servers []Server
	// Deadline is the time by which Done is called, whatever the number of servers and tries; 0 means none but what Config's timeouts add up to.
	Deadline Time
	// Done is called exactly once, on the engine's goroutine and under no lock. It may submit, cancel and close; it must not
	// block. Reply is valid until Done returns and nil when err is not; err is then an *Error.
	Done func(q *Query, r *Reply, err error)

	engine *Engine  // which has it, or had it last
	p      *pending // its state; nil while the query is the caller's
	next   *Query   // the inbox's link
}

// waited is the bit of Query.round that says that Done is a waiter's, which runs nothing of the user's.
const waited = 1

// Transport is how a message travelled.
type Transport uint8

// The transports there are.
const (
	UDP Transport = iota + 1
	TCP
)

func (t Transport) String() string {
	switch t {
	case UDP:
		return "udp"
	case TCP:
		return "tcp"
	}
	return "none"
}

// Reply is a view of an accepted response, valid until Done returns.
type Reply struct {
	// Msg is the message as it came, in the receive buffer, with the ID it had on the wire.
	Msg []byte
	// Rcode is the response code with its EDNS extension (RFC 6891 6.1.3).
	Rcode uint16
	// Truncated says that TC was set: part of the answer is missing.
	Truncated bool
	// Trailing is the number of octets behind the message's last record.
	Trailing int
	// Server answered, over Transport.
	Server    netip.AddrPort
	Transport Transport
	// RTT is the time from the last send to the receipt, in nanoseconds, as seen by a clock read once a turn.
	RTT Time
	// Queued is how much of RTT the reply waited in the socket's receive queue for the engine's turn, in nanoseconds, by the kernel's stamp: with
	// Config.Socket.Stamps, over UDP, where the backend gives stamps. Else, and where it came in the turn itself, it is 0. It is right to about a microsecond.
	Queued Time
	// Attempts are the sends that were made, the last one answered. Valid as long as the Reply.
	Attempts []Attempt
}

// Attempt is one send of a query and what came of it.
type Attempt struct {
	Server    netip.AddrPort
	Transport Transport
	RTT       Time  // from send to outcome
	Rcode     int   // of the reply, -1 without one
	Truncated bool  // the reply had TC set
	Size      int   // octets of the reply, 0 without one
	Err       error // why there was no usable reply, nil where there was
}
