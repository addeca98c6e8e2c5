package responder

import (
	"net/netip"
	"testing"

	"github.com/dnsq/dnsq/internal/require"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// start runs a server on a loopback port for the length of the test.
func start(tb testing.TB) *Server {
	tb.Helper()
	s, err := Start(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}
