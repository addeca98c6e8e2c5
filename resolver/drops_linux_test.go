package resolver_test

import (
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// TestStatsHaveDrops: with what was received they are all that was sent, to a socket that is read too late, and they stay when it is closed.
func TestStatsHaveDrops(t *testing.T) {
	const count = 500
	for _, b := range []string{"gso", "recvmmsg", "recvfrom", "uring"} {
		sent := make(chan struct{})
		s := dnstest.Start(t, func(w *dnstest.Writer, q dnstest.Request) {
			dnstest.Times(count, good)(w, q)
			close(sent)
		})
		e := single(t, "edge", b, s.Addr(), func(c *resolver.Config) { oneSocket(c); c.Socket.RecvBuffer, c.Timeout = 1, time.Minute })
		done := false
		q := resolver.Query{Question: www, Done: func(*resolver.Query, *resolver.Reply, error) { done = true }}
		if err := e.Submit(&q); err != nil {
			t.Fatal(err)
		}
		e.Timeouts(ioevent.Now())
		<-sent
		if d := e.Stats().Socket.Dropped; d == 0 || d >= count {
			t.Errorf("%s: %d dropped before anything was received", b, d)
		}
		drive(t, e, func() bool { return done && e.Stats().Received+e.Stats().Socket.Dropped == count })
		before := e.Stats().Socket.Dropped
		e.Close()
		if after := e.Stats().Socket.Dropped; after != before {
			t.Errorf("%s: %d dropped before Close, %d after", b, before, after)
		}
	}
}
