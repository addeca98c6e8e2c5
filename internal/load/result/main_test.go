package result_test

import (
	"testing"

	"github.com/dnsq/dnsq/internal/require"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }
