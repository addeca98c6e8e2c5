package load

import (
	"fmt"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

// Describe says what p asks for, with its defaults.
func (p *Plan) Describe() result.Plan {
	p = p.withDefaults()
	x := result.Plan{
		Mode: "closed", Transport: p.Transport.String(), Outstanding: p.Outstanding, Clients: p.Clients,
		Threads: p.Threads, Warmup: p.Warmup.Seconds(), Seconds: p.Duration.Seconds(), Count: p.Count, Timeout: p.Timeout.Seconds(),
		RecvBuffer: p.RecvBuffer, KernelStamps: p.Stamps, Backend: p.Backend.Name, Poller: p.Poller.Name, Trains: trains(p.Backend.Name),
	}
	if p.Set != nil {
		x.Queries = p.Set.String()
	}
	for _, s := range p.Servers {
		text := s.Addr.String()
		if s.Weight != 1 {
			text += fmt.Sprintf(" x%d", s.Weight)
		}
		x.Servers = append(x.Servers, text)
	}
	if p.Open() {
		x.Mode, x.Arrival, x.Rate = "open", p.Arrival.String(), p.Rate.String()
	}
	return x
}

// describe says what was asked for, and what became of it.
func (r *run) describe(out *result.Result, c *cost) {
	out.Plan = r.plan.Describe()
	out.Plan.Clients, out.Plan.RecvBuffer = r.shards[0].ways.sockets*r.shards[0].ways.each, c.recvBuffer
	if r.plan.Open() && out.Seconds > 0 {
		out.Plan.Target = r.target(out.Seconds)
	}
}

// target is the mean rate of the plan over the measured part; of a recording, what there was.
func (r *run) target(seconds float64) float64 {
	p := r.plan
	if p.Rate.IsZero() {
		var planned uint64
		for _, t := range r.collector.totals {
			planned += t.Sent + t.Unsent.Behind + t.Unsent.Window
		}
		return float64(planned) / seconds
	}
	warm := p.Warmup
	return (p.Rate.Queries(warm+time.Duration(nanoseconds(seconds))) - p.Rate.Queries(warm)) / seconds
}
