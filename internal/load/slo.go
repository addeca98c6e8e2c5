package load

import (
	"fmt"
	"strings"

	"github.com/dnsq/dnsq/internal/load/result"
)

// An SLO is what a run must keep to.
type SLO struct {
	text   string
	bounds []bound
}

// bound is a limit that a metric must be below.
type bound struct {
	text   string
	metric metric
	limit  float64
	equal  bool // the limit itself will do
}

// String is the SLO as given.
func (s SLO) String() string { return s.text }

// IsZero reports whether it has no bounds.
func (s SLO) IsZero() bool { return len(s.bounds) == 0 }

// Misses lists the bounds that r does not keep to, each as a sentence with the value found; none: it keeps to all. Of a run without answers
// nothing but the loss is known, and every other bound is missed.
func (s SLO) Misses(r *result.Result) (list []string) {
	for _, b := range s.bounds {
		if r.Completed == 0 && !b.metric.sent {
			list = append(list, fmt.Sprintf("%s is not known: there was no answer, and %s was asked for", b.metric.name, b.text))
			continue
		}
		v := b.metric.of(r)
		if v < b.limit || b.equal && v == b.limit {
			continue
		}
		list = append(list, fmt.Sprintf("%s is %s, and %s was asked for", b.metric.name, b.metric.format(v), b.text))
	}
	return list
}

// ParseSLO reads bounds separated by commas, as "loss<0.1%,p99<5ms,servfail<=1%". There is loss, of what was sent; each response code by its name, of what
// was answered; and of the response time p50, p75, p90, p95, p99, p99.9, p99.99, mean and max. A query that timed out counts among the times as one that
// took that long, so that losing the slow ones makes nothing fast.
func ParseSLO(text string) (SLO, error) {
	s := SLO{text: strings.TrimSpace(text)}
	for part := range strings.SplitSeq(text, ",") {
		b, err := parseBound(strings.TrimSpace(part))
		if err != nil {
			return SLO{}, fmt.Errorf("SLO %q: %w", text, err)
		}
		s.bounds = append(s.bounds, b)
	}
	return s, nil
}

func parseBound(text string) (bound, error) {
	name, limit, ok := strings.Cut(text, "<")
	if !ok {
		return bound{}, fmt.Errorf("%q is no bound; write METRIC<LIMIT, as loss<0.1%% or p99<5ms", text)
	}
	b := bound{text: text}
	limit, b.equal = strings.CutPrefix(limit, "=")
	var err error
	if b.metric, err = metricNamed(strings.ToLower(strings.TrimSpace(name))); err != nil {
		return b, fmt.Errorf("%q: %w", text, err)
	}
	if b.limit, err = b.metric.parse(strings.TrimSpace(limit)); err != nil {
		return b, fmt.Errorf("%q: %w", text, err)
	}
	return b, nil
}
