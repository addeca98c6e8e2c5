package load

import (
	"context"
	"net/netip"

	"github.com/dnsq/dnsq/internal/load/result"
)

// A Ceiling is the rate that this machine can make with a plan's shape at all, servers and network apart.
type Ceiling struct {
	QPS    float64        `json:"qps"`
	Result *result.Result `json:"-"`
}

// Calibrate makes the plan's kind of run, closed, against a responder at addr that does as little as it can.
func Calibrate(ctx context.Context, p *Plan, addr netip.AddrPort) (Ceiling, error) {
	return Ceiling{}, nil
}

// Mark makes r invalid where it is so near the ceiling that this machine, and no server, may be what it measured.
func (c Ceiling) Mark(r *result.Result) {}
