package require_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/dnsq/dnsq/internal/require"
)

// recorder is a testing.TB that notes how a test ended.
type recorder struct {
	testing.TB
	skipped, failed string
}

func (r *recorder) Helper() {}

func (r *recorder) Skipf(format string, args ...any) {
	r.skipped = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestSkip(t *testing.T) {
	for _, tt := range []struct{ env, skipped, failed string }{
		{env: "", skipped: "no IPv6 here"},
		{env: "none", skipped: "no IPv6 here"},
		{env: "all", failed: "DNSQ_REQUIRE=all but no IPv6 here"},
	} {
		t.Run("DNSQ_REQUIRE="+tt.env, func(t *testing.T) {
			t.Setenv("DNSQ_REQUIRE", tt.env)
			var r recorder
			returned := false
			done := make(chan struct{})
			go func() {
				defer close(done)
				require.Skip(&r, "no %s here", "IPv6")
				returned = true
			}()
			<-done
			if r.skipped != tt.skipped || r.failed != tt.failed || returned {
				t.Errorf("skipped %q, failed %q, returned %t; want %q, %q, false",
					r.skipped, r.failed, returned, tt.skipped, tt.failed)
			}
		})
	}
}

func TestForced(t *testing.T) {
	t.Setenv("DNSQ_BACKEND", "recvfrom")
	t.Setenv("DNSQ_POLLER", "edge")
	if b, p := require.Backend(), require.Poller(); b != "recvfrom" || p != "edge" {
		t.Errorf("Backend() = %q, Poller() = %q; want recvfrom, edge", b, p)
	}
}
