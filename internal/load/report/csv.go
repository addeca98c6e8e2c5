package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/dnsq/dnsq/internal/load/result"
)

// CSV writes a line for each second, below one with the names of the columns (RFC 4180).
func CSV(w io.Writer, r *result.Result) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	lines := [][]string{{"second", "target", "sent", "completed", "lost", "unsent", "in_flight", "min_us", "mean_us", "p50_us", "p99_us", "max_us"}}
	for i := range r.BySecond {
		s := &r.BySecond[i]
		line := []string{strconv.Itoa(s.At), decimal(s.Target), digits(s.Sent), digits(s.Completed), digits(s.Lost), digits(s.Unsent), strconv.Itoa(s.InFlight)}
		for _, us := range []float64{s.Min, s.Mean, s.P50, s.P99, s.Max} {
			line = append(line, decimal(us))
		}
		lines = append(lines, line)
	}
	return out.WriteAll(lines)
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
