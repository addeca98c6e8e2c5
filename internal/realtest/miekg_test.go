package realtest_test

import (
	"context"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/realtest"
	"github.com/dnsq/dnsq/resolver"
)

// TestPlainClient holds a client of a few lines against dig: a check of the
// servers and of the comparison, without dnsq.
func TestPlainClient(t *testing.T) {
	eachServer(t, 1000, func(_ *testing.T, s *realtest.Server) client {
		slots := make(chan struct{}, 8) // it connects for each question, and Knot's backlog is 10
		return func(ctx context.Context, q realtest.Question) (realtest.Outcome, error) {
			slots <- struct{}{}
			defer func() { <-slots }()
			return plainAsk(ctx, s, q)
		}
	})
}

func plainAsk(ctx context.Context, s *realtest.Server, q realtest.Question) (realtest.Outcome, error) {
	network := "udp"
	if q.Flags&resolver.OverTCP != 0 {
		network = "tcp"
	}
	m := plainQuery(q)
	r, err := plainExchange(ctx, network, m, s)
	if err == nil && r.Truncated && network == "udp" && q.Flags&resolver.IgnoreTruncation == 0 {
		r, err = plainExchange(ctx, "tcp", m, s)
	}
	if err != nil {
		return realtest.Outcome{}, err
	}
	records, err := realtest.RecordsOf(r)
	return realtest.Outcome{Rcode: r.Rcode, AA: r.Authoritative, TC: r.Truncated, AD: r.AuthenticatedData, Records: records}, err
}

func plainExchange(ctx context.Context, network string, m *dns.Msg, s *realtest.Server) (*dns.Msg, error) {
	c := dns.Client{Net: network, Timeout: 5 * time.Second}
	r, _, err := c.ExchangeContext(ctx, m, s.Addr.String())
	return r, err
}

func plainQuery(q realtest.Question) *dns.Msg {
	m := new(dns.Msg).SetQuestion(q.Name, q.Type)
	m.RecursionDesired = q.Flags&resolver.NoRecurse == 0
	m.CheckingDisabled = q.Flags&resolver.CheckingDisabled != 0
	m.AuthenticatedData = q.Flags&resolver.AuthenticData != 0
	if q.Flags&resolver.NoEDNS == 0 {
		m.SetEdns0(udpSize, q.Flags&resolver.DNSSEC != 0)
	}
	return m
}
