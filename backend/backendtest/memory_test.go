package backendtest_test

import (
	"testing"

	"github.com/dnsq/dnsq/backend/backendtest"
)

// TestMemory holds the network in memory to the contract that it stands in for.
func TestMemory(t *testing.T) {
	n := backendtest.NewNetwork()
	defer n.Close()
	t.Run("Socket", func(t *testing.T) { backendtest.TestSocket(t, n.Backend()) })
	t.Run("Stream", func(t *testing.T) { backendtest.TestStream(t, n.Backend(), n.Listen) })
}
