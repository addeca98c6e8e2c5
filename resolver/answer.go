package resolver

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/wire"
)

// Answer is a response, the caller's to keep. It says what a server said, errors of the DNS included: look at Rcode.
type Answer struct {
	// Question is what was asked.
	Question Question
	// Rcode is the response code with its EDNS extension (RFC 6891 6.1.3).
	Rcode uint16
	// Header bits: AA, TC, RA and AD.
	Authoritative, Truncated, RecursionAvailable, AuthenticData bool
	// Raw is the message as it came.
	Raw []byte
	// Trailing is the number of octets behind the message's last record.
	Trailing int
	// Server answered over Transport; RTT is the time from the last send to the reply.
	Server    netip.AddrPort
	Transport Transport
	RTT       time.Duration
	// Attempts are the sends that were made, the answered one last.
	Attempts []Attempt
}

// newAnswer copies r. An answer with a single attempt, as most are, is one allocation and its message's.
func newAnswer(q *Query, r *Reply) *Answer {
	h, _ := wire.PeekHeader(r.Msg)
	a := &struct {
		Answer
		first [1]Attempt
	}{}
	a.Answer = Answer{
		Question: q.Question, Rcode: r.Rcode,
		Authoritative: h.Authoritative(), Truncated: r.Truncated, RecursionAvailable: h.RecursionAvailable(), AuthenticData: h.AuthenticData(),
		Raw: slices.Clone(r.Msg), Trailing: r.Trailing, Server: r.Server, Transport: r.Transport, RTT: time.Duration(r.RTT),
		Attempts: append(a.first[:0], r.Attempts...),
	}
	return &a.Answer
}

// Msg decodes the message.
func (a *Answer) Msg() (*dns.Msg, error) {
	m := new(dns.Msg)
	if err := m.Unpack(a.Raw[:len(a.Raw)-a.Trailing]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return m, nil
}

// Addrs returns the addresses of the type asked (A or AAAA) at the end of the alias chain that starts at the question, inside this message alone,
// and the name at that end where it is another. No address and no error is NODATA, or a chain that the server did not follow to its end. The
// error is ErrLoop or ErrChain.
func (a *Answer) Addrs() (addrs []netip.Addr, canonical string, err error) {
	return chainAddrs(a.Raw, a.Question.Type)
}

// typeString is a type's mnemonic, or TYPE and its number (RFC 3597 5).
func typeString(t uint16) string { return dns.Type(t).String() }

// rcodeString is a response code's mnemonic, or RCODE and its number.
func rcodeString(r uint16) string {
	if s, ok := dns.RcodeToString[int(r)]; ok {
		return s
	}
	return fmt.Sprintf("RCODE%d", r)
}

// printable shows a name that may hold anything on one line (RFC 1035 5.1 escapes).
func printable(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c > ' ' && c < 0x7f {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03d`, c)
		}
	}
	return b.String()
}
