package resolver_test

import (
	"context"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// TestSpin: a lone caller that may spin as long as it takes does not sleep once; one that may not sleeps for its answers, unless one is there at once.
func TestSpin(t *testing.T) {
	const n = 100
	for _, tt := range []struct {
		spin        time.Duration
		least, most uint64 // wakes
	}{{time.Minute, 0, 0}, {-1, n / 2, n}} {
		onPreferred(t, func(t *testing.T, w *world) {
			r := w.resolver(t, func(c *resolver.Config) { c.Shards, c.Spin = 1, tt.spin }, dnstest.Hold(t, 1))
			for range n {
				if _, err := r.Exchange(context.Background(), www); err != nil {
					t.Fatal(err)
				}
			}
			if !w.config.Poller.Files { // the answer comes by way of a goroutine: nobody spins
				tt.least, tt.most = n/2, n
			}
			if wakes := r.Stats().Loop.Wakes; wakes < tt.least || wakes > tt.most {
				t.Errorf("spin %v: %d wakes for %d queries, want %d to %d", tt.spin, wakes, n, tt.least, tt.most)
			}
		})
	}
}
