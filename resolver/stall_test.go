package resolver_test

import (
	"testing"
	"time"

	"github.com/dnsq/dnsq/resolver"
)

// TestStall: replies that came in time are taken, though the loop was held up for longer than a try may take and gets to them only a few at a time.
func TestStall(t *testing.T) {
	for _, flags := range []resolver.Flags{0, resolver.OverTCP} {
		inBoth(t, withTCP(func(t *testing.T, w *world) {
			const n = 64
			stalled := false
			b := newBatch(n, func(int, *resolver.Reply, error) {
				if !stalled {
					stalled = true
					time.Sleep(700 * time.Millisecond)
				}
			})
			for i := range b.queries {
				b.queries[i].Flags = flags
			}
			r := w.resolver(t, func(c *resolver.Config) {
				oneSocket(c)
				c.Timeout, c.Tries, c.Socket.Batch = 500*time.Millisecond, 2, 4
			}, w.server(t, good).Addr())
			b.submit(t, r)
			b.wait(t)
			b.succeeded(t)
			if s := r.Stats(); s.Timeouts != 0 || s.UnknownID != 0 {
				t.Errorf("%d timeouts, and %d replies that nobody waited for any more; want none", s.Timeouts, s.UnknownID)
			}
		}))
	}
}
