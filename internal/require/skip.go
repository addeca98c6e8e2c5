package require

import (
	"fmt"
	"os"
	"testing"
)

// Skip skips the test with the reason given, or fails it where DNSQ_REQUIRE is
// "all": a machine that claims to have everything must not pass by skipping.
// It must be called from the test's own goroutine and does not return.
func Skip(tb testing.TB, format string, args ...any) {
	tb.Helper()
	if v := os.Getenv("DNSQ_REQUIRE"); v == "all" {
		tb.Fatalf("DNSQ_REQUIRE=%s but %s", v, fmt.Sprintf(format, args...))
	}
	tb.Skipf(format, args...)
}

// Backend returns the one backend that DNSQ_BACKEND forces, "" for all.
func Backend() string { return os.Getenv("DNSQ_BACKEND") }

// Poller returns the one poller that DNSQ_POLLER forces, "" for all.
func Poller() string { return os.Getenv("DNSQ_POLLER") }
