package main

import (
	"errors"
	"math"
	"os/exec"
	"path/filepath"

	loadresult "github.com/dnsq/dnsq/internal/load/result"
)

// exitInvalid is how "dnsq load" ends where it says that its result is not the server's.
const exitInvalid = 4

// runDnsq runs "dnsq load".
func (f *field) runDnsq(s side, port int, seconds float64) (result, error) {
	file := filepath.Join(f.t.dir, "load.json")
	args := append([]string{f.t.path("dnsq"), "load", "--quiet", "--json", file}, f.flags(s, port, seconds)...)
	_, cpu, err := runPinned(args)
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == exitInvalid) {
		return nil, err
	}
	l, err := loadresult.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f.facts.host = l.Host
	for _, why := range l.Reasons {
		if l.Verdict != loadresult.Valid {
			f.logf("dnsq load, server %s: the result is invalid: %s", s.server, why.Text)
		}
	}
	r := ofLoad(l)
	return r, r.addCPU(cpu)
}

// ofLoad is what "dnsq load" says of a run.
func ofLoad(l *loadresult.Result) result {
	return result{
		"completed":  float64(l.Completed),
		"lost":       float64(l.Lost.Total()),
		"qps":        l.QPS,
		"own_cpu_us": l.CPU / 1e3,
		"p99_ms":     l.Response.P99 / 1e3,
		"p50_off_ms": math.Abs(l.Response.P50-l.Service.P50) / 1e3,
	}
}
