package report

import (
	"fmt"

	"github.com/dnsq/dnsq/internal/load/result"
)

// A Live writes the line of each second while a run goes on.
type Live struct {
	lines int
}

// headEvery is how many lines come below one header: fewer than a terminal has.
const headEvery = 20

// Line returns the line of a second, below the names of its columns where these would else be out of sight. No line is longer than 80 columns.
func (l *Live) Line(s *result.Second) string {
	var head string
	if l.lines%headEvery == 0 {
		head = fmt.Sprintf("%5s %8s %8s %5s %8s %8s %8s %6s %6s %8s\n", "s", "sent", "target", "%", "answered", "lost", "unsent", "p50", "p99", "inflight")
	}
	l.lines++
	target, reached := "-", "-"
	if s.Target > 0 {
		target, reached = big(s.Target), fmt.Sprintf("%.1f", min(100*float64(s.Sent)/s.Target, 999))
	}
	return head + fmt.Sprintf("%5d %8s %8s %5s %8s %8s %8s %6s %6s %8s\n", s.At, big(float64(s.Sent)), target, reached,
		big(float64(s.Completed)), big(float64(s.Lost)), big(float64(s.Unsent)), short(s.P50), short(s.P99), big(float64(s.InFlight)))
}
