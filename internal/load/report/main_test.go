package report_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/internal/require"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// A run makes a Result that holds together, as the runner's would.
type run struct {
	seconds int
	rate    int // queries a second
	stall   int // the second in which the server stops for a while; none at 0
	weight  int64
}

func (p run) result(t testing.TB) (*result.Result, []*result.Tick) {
	t.Helper()
	r := named()
	response, service, pacing, timeouts := result.NewHistogram(), result.NewHistogram(), result.NewHistogram(), result.NewHistogram()
	draw := rand.New(rand.NewPCG(1, 2))
	var ticks []*result.Tick
	for at := -1; at < p.seconds; at++ {
		tick := p.tick(draw, at)
		ticks = append(ticks, tick)
		r.BySecond = append(r.BySecond, tick.Second())
		if at < 0 {
			continue
		}
		r.Sent, r.Completed = r.Sent+tick.Sent, r.Completed+tick.Completed
		r.Lost.Add(&tick.Lost)
		r.Unsent.Add(&tick.Unsent)
		r.Strays.Add(&tick.Strays)
		for h, o := range map[*hdrhistogram.Histogram]*hdrhistogram.Histogram{response: tick.Response, service: tick.Service, pacing: tick.Pacing, timeouts: tick.Response} {
			h.Merge(o)
		}
	}
	if n := r.Lost.Timeout; n > 0 {
		result.Record(timeouts, 2*time.Second, int64(n))
	}
	p.finish(r)
	r.Response, r.Service, r.Pacing, r.ResponseTimeout = result.LatencyOf(response), result.LatencyOf(service), result.LatencyOf(pacing), result.LatencyOf(timeouts)
	r.Histograms = result.Histograms{Response: text(t, response), Service: text(t, service), Pacing: text(t, pacing), ResponseTimeout: text(t, timeouts)}
	half := r.Response
	r.Targets = []result.Target{
		{Server: "192.0.2.1:53", Sent: r.Sent / 2, Completed: r.Completed / 2, Response: half, Service: r.Service},
		{Server: "[2001:db8::53]:53", Sent: r.Sent - r.Sent/2, Completed: r.Completed - r.Completed/2, Response: half, Service: r.Service},
	}
	r.Shards = []result.ShardRow{{Sent: r.Sent / 2, Completed: r.Completed / 2, Response: half}, {Sent: r.Sent / 2, Completed: r.Completed / 2, Response: half}}
	return r, ticks
}

func text(t testing.TB, h *hdrhistogram.Histogram) string {
	t.Helper()
	s, err := result.Encode(h)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// named is a Result with all that is said before a run.
func named() *result.Result {
	return &result.Result{
		Schema: result.Schema, Version: "1.2.3", Seed: 7, Verdict: result.Valid,
		Command: []string{"dnsq", "load", "-s", "192.0.2.1", "--rate", "1000"},
		Start:   time.Date(2026, 3, 1, 12, 0, 0, 250e6, time.UTC),
		Plan: result.Plan{
			Mode: "open", Transport: "udp", Servers: []string{"192.0.2.1:53", "[2001:db8::53]:53"}, Rate: "1000", Target: 1000, Arrival: "poisson", Outstanding: 65536,
			Clients: 4, Threads: 2, Warmup: 1, Seconds: 30, Timeout: 2, Queries: "queries.txt (3 queries)", Backend: "mmsg", Poller: "epoll", RecvBuffer: 4 << 20,
		},
		Host: result.Host{System: "Linux 6.18.44 amd64", CPU: "AMD EPYC", CPUs: 2, Affinity: "0-1", Clock: "kvm-clock", Go: "go1.26.8", RecvLimit: 4 << 20},
	}
}

// tick draws a second's latencies: 100 µs and a long tail, and 200 ms of stall.
func (p run) tick(draw *rand.Rand, at int) *result.Tick {
	tick := result.NewTick(0, at)
	tick.Target, tick.InFlight = float64(p.rate), 3
	weight := max(p.weight, 1)
	for i := range p.rate {
		tick.Sent++
		d := time.Duration(80e3 + 30e3*draw.ExpFloat64())
		if draw.IntN(200) == 0 {
			d += time.Duration(2e6 * draw.ExpFloat64())
		}
		if begin := 0.2 - float64(i)/float64(p.rate); p.stall > 0 && at == p.stall && begin > 0 {
			d += time.Duration(begin * 1e9)
		}
		if p.stall > 0 && at == p.stall+1 && i%10 == 0 {
			tick.Lost.Timeout++
			continue
		}
		tick.Completed++
		result.Record(tick.Response, d+5*time.Microsecond, weight)
		result.Record(tick.Service, d, weight)
		result.Record(tick.Pacing, 5*time.Microsecond, weight)
	}
	tick.Sent, tick.Completed = tick.Sent*uint64(weight), tick.Completed*uint64(weight)
	return tick
}

// finish fills what is counted once.
func (p run) finish(r *result.Result) {
	r.Planned = r.Sent + r.Unsent.Behind + r.Unsent.Window
	r.Seconds = float64(p.seconds)
	if p.seconds > 0 {
		r.QPS, r.Rate = float64(r.Completed)/r.Seconds, float64(r.Sent)/r.Seconds
	}
	r.SentOctets, r.Octets = 27*r.Sent, 100*r.Completed
	r.CPU, r.UserCPU, r.SystemCPU, r.Syscalls = 1500, 500, 1000, 0.125
	if r.Completed > 0 {
		a := r.Completed / 4 * 3
		r.Types = []result.TypeRow{
			{Type: "A", Sent: r.Sent - (r.Completed - a), Rcodes: map[string]uint64{"NOERROR": a - a/10, "NXDOMAIN": a / 10}},
			{Type: "AAAA", Sent: r.Completed - a, Rcodes: map[string]uint64{"NOERROR": r.Completed - a}},
		}
	}
}

func (p run) String() string { return fmt.Sprintf("%d s of %d/s", p.seconds, p.rate) }
