package resolver_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// TestBudget: the time that Config.Budget gives a turn ends it, or nothing does. Each Done takes 100 µs.
func TestBudget(t *testing.T) {
	const queries = 600 // each on a socket of its own
	for _, tt := range []struct {
		budget time.Duration
		done   int // replies that the first turn delivers
	}{
		{0, 256}, // 2 ms, and the least that a turn does is 256
		{-1, queries},
	} {
		inMemory(t, func(t *testing.T, w *world) {
			e := w.engine(t, func(c *resolver.Config) {
				c.Budget = tt.budget
				c.Ports = resolver.PortPolicy{Fresh: 2 * queries}
			}, w.server(t, dnstest.A("192.0.2.1")).Addr())
			done := 0
			for i := range queries {
				q := &resolver.Query{Question: resolver.Question{Name: fmt.Sprintf("h%d.example.", i), Type: dns.TypeA}}
				q.Done = func(_ *resolver.Query, _ *resolver.Reply, err error) {
					if err == nil { // not closed, which ends the rest
						done++
						time.Sleep(100 * time.Microsecond)
					}
				}
				if err := e.Submit(q); err != nil {
					t.Fatal(err)
				}
			}
			for e.Stats().Sent < queries { // a flush opens a few sockets
				e.Timeouts(ioevent.Now())
			}
			synctest.Wait() // every reply is there
			if done > 0 {
				t.Fatalf("%d done before the turn", done)
			}
			if e.IOEvent(ioevent.Now()); done != tt.done {
				t.Errorf("budget %v: %d done in a turn, want %d", tt.budget, done, tt.done)
			}
		})
	}
}
