package compare_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load/compare"
	"github.com/dnsq/dnsq/internal/load/result"
)

// A server is where synthetic runs come from. Its figures are multiplied by a lognormal factor a run; the p99 of a run has a noise of its own as well, and
// one run in twenty is disturbed: its tail is longer by a part that is exponential.
type server struct {
	noise     float64 // standard deviation of the logarithms
	qps       float64 // 1: the usual ones
	latency   float64
	loss      float64 // of the sent
	open      bool
	disturbed float64 // mean of what a disturbance adds to p99; 0: there is none
}

const disturbedRuns = 0.05

func (s server) run(r *rand.Rand, at int) *result.Result {
	factor := func(noise float64) float64 { return math.Exp(noise * r.NormFloat64()) }
	common := factor(s.noise)
	tail := factor(s.noise)
	if s.disturbed > 0 && r.Float64() < disturbedRuns {
		tail *= 1 + s.disturbed*r.ExpFloat64()
	}
	p50 := 200 * s.latency / common
	const sent = 1_000_000
	lost := uint64(sent * s.loss * factor(0.3))
	x := &result.Result{
		Schema: result.Schema, Version: "v1", Verdict: result.Valid, Start: time.Unix(int64(1e9+at*60), 0), Seconds: 10,
		Plan: result.Plan{Mode: "closed", Transport: "udp", Servers: []string{"192.0.2.1:53"}, Outstanding: 100, Clients: 1, Threads: 1, Seconds: 10, Queries: "file.txt"},
		Sent: sent, Planned: sent, Completed: sent - lost, Lost: result.Lost{Timeout: lost}, QPS: 100_000 * s.qps * common, CPU: 800 * factor(s.noise),
	}
	if s.open {
		x.Plan.Mode, x.Plan.Rate, x.Plan.Target, x.Plan.Arrival, x.QPS = "open", "100k", 100_000, "poisson", 100_000*(1-s.loss)
	}
	x.Response = result.Latency{Count: sent - lost, Mean: 1.2 * p50, P50: p50, P90: 2 * p50, P99: 5 * p50 * tail, P999: 20 * p50 * tail * factor(3*s.noise)}
	x.Service = x.Response
	x.ResponseTimeout = x.Response
	x.ResponseTimeout.Count += lost
	return x
}

// sides are n runs of each, interleaved A B B A.
func sides(r *rand.Rand, a, b server, n int) (as, bs []*result.Result) {
	for i := range n {
		at := 2 * i
		as, bs = append(as, a.run(r, at+i%2)), append(bs, b.run(r, at+1-i%2))
	}
	return as, bs
}

func usual(noise float64) server { return server{noise: noise, qps: 1, latency: 1, disturbed: 0.3} }

// slower is s with a shift planted in rate and latency.
func slower(s server, by float64) server {
	s.qps /= by
	s.latency *= by
	return s
}

// verdicts counts those of a number of comparisons.
func verdicts(t *testing.T, a, b server, n, rounds int, seed uint64) map[compare.Verdict]int {
	t.Helper()
	r := random(seed)
	count := map[compare.Verdict]int{}
	for range rounds {
		as, bs := sides(r, a, b, n)
		count[compared(t, as, bs, compare.Options{}).Verdict]++
	}
	return count
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 11)) }

func compared(t *testing.T, as, bs []*result.Result, o compare.Options) *compare.Report {
	t.Helper()
	report, err := compare.Runs(as, bs, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}
