package responder

import (
	"testing"

	"github.com/dnsq/dnsq/internal/require"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// start runs a server on a loopback port for the length of the test.
func start(tb testing.TB) *Server {
	tb.Helper()
	return open(tb, Config{})
}

func open(tb testing.TB, c Config) *Server {
	tb.Helper()
	s, err := Open(c)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}
