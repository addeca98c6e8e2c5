package load

import (
	"errors"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/resolver"
)

// fate is what became of a query that was sent and has no answer.
type fate uint8

const (
	timedOut fate = iota
	unreached
	hungUp
	notSent
	cutShort
)

// fateOf sorts the errors of the engine. Over TCP all that ends a connection is its closing, whatever the system calls it.
func fateOf(err error, transport resolver.Transport) fate {
	switch {
	case errors.Is(err, resolver.ErrTimeout):
		return timedOut
	case errors.Is(err, resolver.ErrClosed), errors.Is(err, resolver.ErrCanceled):
		return cutShort
	case errors.Is(err, backend.ErrNoFiles), errors.Is(err, backend.ErrNoPorts), errors.Is(err, backend.ErrNoBuffers):
		return notSent
	case transport == resolver.TCP:
		return hungUp
	case errors.Is(err, backend.ErrRefused), errors.Is(err, backend.ErrUnreachable):
		return unreached
	}
	return notSent
}

// book counts a loss of the fate f; what was cut short is none.
func book(l *result.Lost, f fate) {
	switch f {
	case timedOut:
		l.Timeout++
	case unreached:
		l.ICMP++
	case hungUp:
		l.Closed++
	case notSent:
		l.SendError++
	}
}

// explain tells the timeouts of l apart, by what is known at the end of a run: so many answers came late, and so many datagrams were dropped in our own
// receive queue, each of which was an answer to one of the rest at most.
func explain(l *result.Lost, late, dropped uint64) {
	l.Late += min(late, l.Timeout)
	l.Timeout -= min(late, l.Timeout)
	l.ClientDrop += min(dropped, l.Timeout)
	l.Timeout -= min(dropped, l.Timeout)
}
