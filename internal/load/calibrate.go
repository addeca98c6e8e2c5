package load

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/internal/load/queries"
	"github.com/dnsq/dnsq/internal/load/result"
)

// A Ceiling is the rate that this machine can make with a plan's shape at all, servers and network apart.
type Ceiling struct {
	QPS    float64        `json:"qps"`
	Result *result.Result `json:"-"` // of the run that found it
}

// The run of a calibration.
const (
	calibrationWarmup = 500 * time.Millisecond
	calibrationLength = 2 * time.Second
	fewestOutstanding = 256 // so that what is measured is not the way there and back
)

// boundShare is the share of the ceiling from which a rate says more of this machine than of a server.
const boundShare = 0.8

// Calibrate makes a run of the plan's shape, closed, against a responder at addr that does as little as it can, on this machine: its queries, transport, sockets
// and threads are the plan's. The responder runs here too, so the ceiling is that of both together, and what a server elsewhere
// allows may be more.
func Calibrate(ctx context.Context, p *Plan, addr netip.AddrPort) (Ceiling, error) {
	c := calibration(p, addr)
	r, err := Run(ctx, c)
	if err != nil {
		return Ceiling{}, fmt.Errorf("calibration: %w", err)
	}
	if r.Completed == 0 {
		return Ceiling{}, fmt.Errorf("calibration: the responder at %v answered nothing", addr)
	}
	return Ceiling{QPS: r.QPS, Result: r}, ctx.Err()
}

// calibration is the plan of it.
func calibration(p *Plan, addr netip.AddrPort) *Plan {
	c := *p
	c.Set = endless{p.Set}
	c.Servers, c.Sources = []Server{{Addr: addr}}, nil
	c.Rate, c.Arrival, c.Speed = Profile{}, Constant, 0
	c.Outstanding = max(p.Outstanding, fewestOutstanding*max(p.Threads, 1))
	c.Warmup, c.Duration, c.Count, c.OnTick = calibrationWarmup, calibrationLength, 0, nil
	return &c
}

// endless is a Set that begins again where it has no more.
type endless struct{ queries.Set }

// Part is a source of the Set, over and over.
func (e endless) Part(i, n int, seed uint64) queries.Source {
	again := func() queries.Source { return e.Set.Part(i, n, seed) }
	return &endlessPart{Source: again(), again: again}
}

type endlessPart struct {
	queries.Source
	again func() queries.Source
}

// Next is false only where a round has no query.
func (p *endlessPart) Next(q *queries.Query) bool {
	if p.Source.Next(q) {
		return true
	}
	p.Source = p.again()
	return p.Source.Next(q)
}

// Mark makes r invalid where it is so near the ceiling that this machine, and no server, may be what it measured.
func (c Ceiling) Mark(r *result.Result) {
	if c.QPS <= 0 || r.QPS < boundShare*c.QPS {
		return
	}
	r.Verdict = result.Invalid
	note(r, result.CodeClientBound, "%.0f answers a second are %.0f %% of the %.0f that this machine can make at all with such a plan", r.QPS, 100*r.QPS/c.QPS, c.QPS)
}
