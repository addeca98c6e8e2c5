package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/resolver"
)

// appendAttempts writes a line for each attempt that came to nothing; the last one was answered where answered is true. Only failures are worth
// a line with +short.
func (r *request) appendAttempts(out []byte, attempts []resolver.Attempt, answered bool) []byte {
	for i, a := range attempts {
		last := i+1 == len(attempts)
		switch {
		case a.Err != nil:
			out = r.appendFailure(out, a)
		case r.short || last && answered:
		case last:
			out = fmt.Appendf(out, ";; Got %s reply from %s\n", rcodeName(a.Rcode), digAddr(a.Server))
		default:
			out = append(out, next(a, attempts[i+1])...)
		}
	}
	return out
}

// next says why there was another attempt after a reply.
func next(a, after resolver.Attempt) string {
	sameServer := a.Server == after.Server
	switch {
	case a.Truncated && a.Transport == resolver.UDP && after.Transport == resolver.TCP:
		return ";; Truncated, retrying in TCP mode.\n"
	case sameServer && (a.Rcode == dns.RcodeFormatError || a.Rcode == dns.RcodeNotImplemented):
		return fmt.Sprintf(";; Got %s reply from %s, retrying without EDNS\n", rcodeName(a.Rcode), digAddr(a.Server))
	case sameServer:
		return fmt.Sprintf(";; Got %s reply from %s, trying again\n", rcodeName(a.Rcode), digAddr(a.Server))
	}
	return fmt.Sprintf(";; Got %s reply from %s, trying next server\n", rcodeName(a.Rcode), digAddr(a.Server))
}

// appendFailure names the server and what the attempt met, in dig's words.
func (r *request) appendFailure(out []byte, a resolver.Attempt) []byte {
	if a.Transport == resolver.TCP && errors.Is(a.Err, backend.ErrRefused) {
		return fmt.Appendf(out, ";; Connection to %s(%s) for %s failed: connection refused.\n", digAddr(a.Server), a.Server.Addr(), printable(r.name))
	}
	return fmt.Appendf(out, ";; communications error to %s: %s\n", digAddr(a.Server), reason(a.Err))
}

func reason(err error) string {
	for _, r := range []struct {
		err  error
		text string
	}{
		{resolver.ErrTimeout, "timed out"},
		{backend.ErrRefused, "connection refused"},
		{backend.ErrReset, "connection reset"},
		{backend.ErrUnreachable, "host unreachable"},
		{io.EOF, "end of file"},
		{io.ErrUnexpectedEOF, "end of file"},
	} {
		if errors.Is(err, r.err) {
			return r.text
		}
	}
	return printable(err.Error())
}
