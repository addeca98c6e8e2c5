package load

import (
	"math"

	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// prepared is the plan with its defaults, its length, and the warm-up in its profile.
func (p *Plan) prepared() *Plan {
	d := p.withDefaults()
	if length, ok := d.Rate.Length(); ok && d.Duration == 0 {
		d.Duration = length
	}
	if d.Warmup > 0 && !d.Rate.IsZero() {
		d.Rate = d.Rate.after(d.Warmup)
	}
	return d
}

// newShard is shard i of p, which has its defaults, without an engine.
func newShard(p *Plan, i int, post *post, pulse *pulse) *shard {
	s := &shard{
		plan: p, index: i, ways: newWays(p, i), source: p.Set.Part(i, p.Threads, p.Seed), post: post, pulse: pulse,
		flags: resolver.Once, timeout: Time(p.Timeout), open: p.Open(), tally: newTally(p), left: math.MaxUint64,
	}
	if p.Transport == resolver.TCP {
		s.flags |= resolver.OverTCP
	}
	s.window = p.capacity(s.ways)
	if p.Outstanding > 0 {
		s.window = min(s.window, share(p.Outstanding, i, p.Threads))
	}
	if p.Count > 0 {
		s.left = uint64(share(int(p.Count), i, p.Threads))
	}
	return s
}

// share is the part i of n things dealt to so many.
func share(n, i, parts int) int {
	part := n / parts
	if i < n%parts {
		part++
	}
	return part
}

// begin sets the times of a run that starts at the time given.
func (s *shard) begin(start Time) {
	s.start, s.measured, s.end = start, start+Time(s.plan.Warmup), ioevent.Never
	if s.plan.Duration > 0 {
		s.end = s.measured + Time(s.plan.Duration)
	}
	if s.open {
		s.instants = s.newInstants()
	}
}
