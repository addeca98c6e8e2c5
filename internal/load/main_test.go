package load

import (
	"testing"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/require"
)

func TestMain(m *testing.M) {
	dnstest.Main()
	require.NoLeaks(m)
}
