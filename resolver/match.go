package resolver

import (
	"github.com/dnsq/dnsq/internal/wire"
)

// verdict is what a message with a known ID is to its query.
type verdict uint8

const (
	forged    verdict = iota // not a reply to this query: as if it had not come, but it looks like an attempt to guess
	malformed                // a reply that cannot be read
	truncated                // TC over UDP: to be asked again over TCP
	accepted
)

// RCODEs with a meaning here (RFC 6895 2.3).
const (
	rcodeSuccess  = 0
	rcodeFormErr  = 1
	rcodeNXDomain = 3
	rcodeNotImp   = 4
	rcodeYXDomain = 6
	rcodeNXRRSet  = 8
	rcodeBadVers  = 16
)

// match compares a message, which has a header, with the query whose ID it has, on raw octets, and walks it only where header and question
// fit (RFC 5452 9.1). What it learns of a reply is in info.
func (p *pending) match(msg []byte, via Transport, cut bool, info *wire.Info) verdict {
	switch {
	case !wire.Answers(msg, p.msg):
		return forged
	case len(msg) == wire.HeaderLen && info.Peek(msg) && info.QD == 0 && failed(info.Rcode):
		return accepted // some servers send an error as a bare header (glibc BZ#31890)
	case !wire.SameQuestion(msg, p.msg):
		return forged
	case via == UDP && (cut || wire.Truncated(msg)):
		info.Peek(msg)
		if p.q.Flags&(IgnoreTruncation|Once) == 0 {
			return truncated
		}
		return accepted
	case info.Check(msg) != nil:
		return malformed
	}
	return accepted
}

// failed reports whether a server that answers with rcode has not answered the question: another may know better.
func failed(rcode uint16) bool {
	switch {
	case rcode == rcodeSuccess, rcode == rcodeNXDomain:
		return false
	case rcode >= rcodeYXDomain && rcode <= rcodeNXRRSet:
		return false
	}
	return true
}

// ednsTrouble reports whether rcode is what servers that do not know EDNS, or not this version, answer (RFC 6891 7).
func ednsTrouble(rcode uint16) bool {
	return rcode == rcodeFormErr || rcode == rcodeNotImp || rcode == rcodeBadVers
}

// lame reports whether a reply to a query that asked for recursion is neither an answer nor from a server that would look for one
// (golang/go#15434).
func (p *pending) lame(info *wire.Info) bool {
	return wire.RecursionDesired(p.msg) && !info.RecursionAvailable() && !info.Authoritative() &&
		info.Rcode == rcodeSuccess && info.AN == 0
}
