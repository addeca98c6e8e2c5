package compare

import "github.com/dnsq/dnsq/internal/load/result"

// A measure is how a metric is got from a run, and how it is to be read.
type measure struct {
	name, unit, test string
	higher           bool // is better
	points           bool // a part of the whole, in percent of it
	// of is the value of a run, if it has one.
	of func(*result.Result) (float64, bool)
	// wanted, if not nil, says whether any reader of these runs wants it.
	wanted func([]*result.Result) bool
}

// measures is the table of metrics, in the order in which they are shown.
func measures() []measure {
	response := func(r *result.Result) *result.Latency { return &r.Response }
	service := func(r *result.Result) *result.Latency { return &r.Service }
	timeouts := func(r *result.Result) *result.Latency { return &r.ResponseTimeout }
	withTimeouts := latency("p99_timeouts", timeouts, 100, p99)
	withTimeouts.wanted = anyLost
	return []measure{
		{name: "qps", unit: "1/s", test: TestWelch, higher: true, of: func(r *result.Result) (float64, bool) { return r.QPS, r.Sent > 0 }},
		{name: "completed", unit: "%", test: TestWelch, higher: true, points: true, wanted: anyOpen,
			of: func(r *result.Result) (float64, bool) { return part(r.Completed, r.Planned) }},
		{name: "loss", unit: "%", test: TestWelch, points: true, of: func(r *result.Result) (float64, bool) { return part(r.Lost.Total(), r.Sent) }},
		latency("p50", response, 2, func(l *result.Latency) float64 { return l.P50 }),
		latency("p90", response, 10, func(l *result.Latency) float64 { return l.P90 }),
		latency("p99", response, 100, p99),
		latency("p999", response, 1000, func(l *result.Latency) float64 { return l.P999 }),
		latency("mean", response, 1, func(l *result.Latency) float64 { return l.Mean }),
		withTimeouts,
		latency("service_p50", service, 2, func(l *result.Latency) float64 { return l.P50 }),
		latency("service_p99", service, 100, p99),
		{name: "cpu_ns", unit: "ns", test: TestRanks, of: func(r *result.Result) (float64, bool) { return r.CPU, r.CPU > 0 }},
	}
}

// latency is a measure of a distribution that at least so many answers are needed for: below, a percentile is the largest of them.
func latency(name string, from func(*result.Result) *result.Latency, answers uint64, of func(*result.Latency) float64) measure {
	return measure{name: name, unit: "µs", test: TestRanks, of: func(r *result.Result) (float64, bool) {
		l := from(r)
		return of(l), l.Count >= answers
	}}
}

func p99(l *result.Latency) float64 { return l.P99 }

// part is n in percent of all.
func part(n, all uint64) (float64, bool) {
	if all == 0 {
		return 0, false
	}
	return 100 * float64(n) / float64(all), true
}

func anyOpen(runs []*result.Result) bool {
	for _, r := range runs {
		if r.Plan.Mode == "open" {
			return true
		}
	}
	return false
}

// anyLost tells whether the percentiles with timeouts are others than those without.
func anyLost(runs []*result.Result) bool {
	for _, r := range runs {
		if r.ResponseTimeout.Count > r.Response.Count {
			return true
		}
	}
	return false
}
