package resolver_test

import (
	"testing"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/require"
)

func TestMain(m *testing.M) {
	dnstest.Main() // in the process that dnstest.Process starts
	require.NoLeaks(m)
}
