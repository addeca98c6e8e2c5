package report_test

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/load/report"
	"github.com/dnsq/dnsq/internal/load/result"
)

func TestLive(t *testing.T) {
	l := new(report.Live)
	var b strings.Builder
	for _, s := range []result.Second{
		{At: -1, Target: 1000, Sent: 998, Completed: 990, InFlight: 8, P50: 82.4, P99: 1500},
		{At: 0, Sent: 250_000, Completed: 249_000, Lost: 12, Unsent: 3, InFlight: 100, P50: 999.6, P99: 2_345_678},
		{At: 3599, Target: 5e8, Sent: 499_000_000, Completed: 123_456_789_012, Lost: 99_999_999, P50: 0.5, P99: 120e6},
		{At: 3600},
	} {
		b.WriteString(l.Line(&s))
	}
	want := `    s     sent   target     % answered     lost   unsent    p50    p99 inflight
   -1      998     1000  99.8      990        0        0 82.4µs 1.50ms        8
    0   250000        -     -   249000       12        3 1.00ms  2.35s      100
 3599   499.0M   500.0M  99.8   123.5G 99999999        0 0.50µs   120s        0
 3600        0        -     -        0        0        0      0      0        0
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The header comes back before it is out of sight, and no line breaks in a terminal.
func TestLiveHeader(t *testing.T) {
	l := new(report.Live)
	heads := 0
	for at := range 100 {
		text := l.Line(&result.Second{
			At: at, Target: 1, Sent: math.MaxUint64, Completed: math.MaxUint64, Lost: math.MaxUint64, Unsent: math.MaxUint64, InFlight: math.MaxInt, P50: 120e6, P99: 120e6,
		})
		heads += strings.Count(text, "inflight")
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(line); n != 80 {
				t.Fatalf("%d characters with the line's end, want 80: %q", n, line)
			}
		}
	}
	if heads != 5 {
		t.Errorf("%d headers for 100 lines, want 5", heads)
	}
}
