package backend_test

import (
	"net/netip"
	"testing"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/backend/backendtest"
	"github.com/dnsq/dnsq/internal/require"
)

var loopback = netip.MustParseAddrPort("127.0.0.1:0")

func TestMain(m *testing.M) { require.NoLeaks(m) }

// TestBackends holds every backend to the contract, or the one that DNSQ_BACKEND names.
func TestBackends(t *testing.T) {
	ran := 0
	for _, b := range backend.List() {
		if only := require.Backend(); only != "" && only != b.Name {
			continue
		}
		ran++
		t.Run(b.Name, func(t *testing.T) {
			if err := b.Probe(); err != nil {
				require.Skip(t, "%v", err)
			}
			backendtest.TestBackend(t, b)
		})
	}
	if ran == 0 {
		t.Errorf("no backend %q here", require.Backend())
	}
}
