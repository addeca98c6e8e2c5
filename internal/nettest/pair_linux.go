package nettest

import (
	"testing"

	"github.com/dnsq/dnsq/internal/netpair"
	"github.com/dnsq/dnsq/internal/require"
)

// The pair: the caller's end and the other one.
const (
	NearDevice, FarDevice   = netpair.NearDevice, netpair.FarDevice
	NearAddress, FarAddress = netpair.NearAddress, netpair.FarAddress
)

// Far is the other namespace, on a thread that does what it is told. What that is must not end the test.
type Far = netpair.Far

// Pair puts the calling goroutine into a namespace of its own, at the near end of a pair of devices: see netpair.Open. The test is skipped where that
// cannot be had.
func Pair(t *testing.T, napi bool) *Far {
	t.Helper()
	f, err := netpair.Open(napi)
	if err != nil {
		require.Skip(t, "%v", err)
	}
	t.Cleanup(f.Close)
	return f
}
