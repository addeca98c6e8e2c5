package load

import (
	"fmt"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

// describe says what was asked for, with what the defaults became.
func (r *run) describe(out *result.Result, c *cost) {
	p := r.plan
	x := result.Plan{
		Mode: "closed", Transport: p.Transport.String(), Outstanding: p.Outstanding, Clients: r.shards[0].ways.sockets * r.shards[0].ways.each,
		Threads: p.Threads, Warmup: p.Warmup.Seconds(), Seconds: p.Duration.Seconds(), Timeout: p.Timeout.Seconds(),
		Queries: p.Set.String(), RecvBuffer: c.recvBuffer, KernelStamps: p.Stamps,
	}
	x.Backend, x.Poller, x.Trains = p.Backend.Name, p.Poller.Name, trains(p.Backend.Name)
	for _, s := range p.Servers {
		text := s.Addr.String()
		if s.Weight != 1 {
			text += fmt.Sprintf(" x%d", s.Weight)
		}
		x.Servers = append(x.Servers, text)
	}
	if p.Open() {
		x.Mode, x.Arrival, x.Rate = "open", p.Arrival.String(), p.Rate.String()
		if out.Seconds > 0 {
			x.Target = r.target(out.Seconds)
		}
	}
	out.Plan = x
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
