package compare

import (
	"fmt"
	"strings"

	"github.com/dnsq/dnsq/internal/load/result"
)

// An IncomparableError says why runs cannot be compared.
type IncomparableError struct {
	Reasons []string
}

func (e *IncomparableError) Error() string {
	return "these runs cannot be compared: " + strings.Join(e.Reasons, "; ")
}

// A condition is what runs should have in common.
type condition struct {
	name   string
	refuse bool // where it differs; else that is a warning
	of     func(*result.Result) any
}

// conditions is the table of them. What a server was measured with changes its figures; what is refused changes what they mean.
func conditions() []condition {
	return []condition{
		{"mode", true, func(r *result.Result) any { return r.Plan.Mode }},
		{"transport", true, func(r *result.Result) any { return r.Plan.Transport }},
		{"rate", true, func(r *result.Result) any { return rate(&r.Plan) }},
		{"arrival", true, func(r *result.Result) any { return r.Plan.Arrival }},
		{"outstanding", true, func(r *result.Result) any { return r.Plan.Outstanding }},
		{"queries", true, func(r *result.Result) any { return r.Plan.Queries }},
		{"timeout", false, func(r *result.Result) any { return seconds(r.Plan.Timeout) }},
		{"warm-up", false, func(r *result.Result) any { return seconds(r.Plan.Warmup) }},
		{"length", false, func(r *result.Result) any { return seconds(r.Plan.Seconds) }},
		{"clients", false, func(r *result.Result) any { return r.Plan.Clients }},
		{"threads", false, func(r *result.Result) any { return r.Plan.Threads }},
		{"backend", false, func(r *result.Result) any { return r.Plan.Backend }},
		{"poller", false, func(r *result.Result) any { return r.Plan.Poller }},
		{"trains", false, func(r *result.Result) any { return r.Plan.Trains }},
		{"receive buffer", false, func(r *result.Result) any { return r.Plan.RecvBuffer }},
		{"kernel stamps", false, func(r *result.Result) any { return r.Plan.KernelStamps }},
		{"version of dnsq", false, func(r *result.Result) any { return r.Version }},
		{"host's system", false, func(r *result.Result) any { return r.Host.System }},
		{"host's processor", false, func(r *result.Result) any { return fmt.Sprintf("%d × %s", r.Host.CPUs, r.Host.CPU) }},
		{"host's affinity", false, func(r *result.Result) any { return r.Host.Affinity }},
		{"host's clock", false, func(r *result.Result) any { return r.Host.Clock }},
		{"host's rmem_max", false, func(r *result.Result) any { return r.Host.RecvLimit }},
	}
}

// rate is the profile, or the mean rate where there is none.
func rate(p *result.Plan) string {
	switch {
	case p.Rate != "":
		return p.Rate
	case p.Target > 0:
		return fmt.Sprintf("%g/s", p.Target)
	}
	return ""
}

func seconds(s float64) string { return fmt.Sprintf("%g s", s) }
