package realtest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/realtest"
	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// TestResolver asks each server 10,000 questions over UDP and over TCP, and
// wants every answer equal to dig's.
func TestResolver(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n /= 10
	}
	eachServer(t, n, func(t *testing.T, s *realtest.Server) client {
		r := newResolver(t, s)
		return func(ctx context.Context, q realtest.Question) (realtest.Outcome, error) {
			a, err := r.ExchangeQuery(ctx, resolver.Query{Question: q.Question, Flags: q.Flags})
			if err != nil {
				return realtest.Outcome{}, err
			}
			if !travelled(a, q) {
				return realtest.Outcome{}, fmt.Errorf("the answer came over %v: %v", a.Transport, a.Attempts)
			}
			return outcomeOf(a)
		}
	})
}

// newResolver uses the mechanisms that the environment forces, or the best.
func newResolver(t *testing.T, s *realtest.Server) *resolver.Resolver {
	t.Helper()
	b, err := backend.Named(require.Backend())
	if err != nil {
		t.Fatal(err)
	}
	p, err := ioevent.Named(require.Poller())
	if err != nil {
		t.Fatal(err)
	}
	r, err := resolver.New(resolver.Config{
		Servers: []resolver.Server{{Addr: s.Addr}},
		Timeout: 5 * time.Second, // a busy machine is no reason to ask twice
		UDPSize: udpSize,
		Backend: b,
		Poller:  p,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// travelled reports whether the answer came over the transport asked for: TCP
// serves a UDP question only where UDP had to cut the answer short.
func travelled(a *resolver.Answer, q realtest.Question) bool {
	switch {
	case q.Flags&resolver.OverTCP != 0:
		return a.Transport == resolver.TCP
	case q.Flags&resolver.IgnoreTruncation != 0:
		return a.Transport == resolver.UDP
	}
	return a.Transport == resolver.UDP || a.Attempts[0].Truncated
}

// outcomeOf takes the flags from the answer itself and decodes the records.
func outcomeOf(a *resolver.Answer) (realtest.Outcome, error) {
	m, err := a.Msg()
	if err != nil {
		return realtest.Outcome{}, err
	}
	records, err := realtest.RecordsOf(m)
	return realtest.Outcome{
		Rcode: int(a.Rcode), AA: a.Authoritative, TC: a.Truncated, AD: a.AuthenticData, Records: records,
	}, err
}
