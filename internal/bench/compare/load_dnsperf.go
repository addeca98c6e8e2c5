package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// runDnsperf runs dnsperf.
func (f *field) runDnsperf(s side, port int, seconds float64) (result, error) {
	out, cpu, err := runPinned(append([]string{"dnsperf"}, f.flags(s, port, seconds)...))
	if err != nil {
		return nil, err
	}
	r, version, err := readDnsperf(out)
	if err != nil {
		return nil, err
	}
	f.facts.dnsperf = version
	return r, r.addCPU(cpu)
}

// readDnsperf reads the statistics that dnsperf prints, and with -v the latencies above them.
func readDnsperf(out string) (r result, version string, err error) {
	r = result{}
	var latencies []float64 // ms
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "Version "):
			version = words[len(words)-1]
		case strings.HasPrefix(line, "> "):
			if x, ok := latency(words); ok {
				latencies = append(latencies, x)
			}
		default:
			r.addStatistic(line)
		}
	}
	for _, key := range []string{"completed", "lost", "qps"} {
		if _, ok := r[key]; !ok {
			return nil, "", fmt.Errorf("dnsperf printed no statistics with %q: %.200s", key, out)
		}
	}
	if len(latencies) > 0 {
		r["p99_ms"] = percentile(latencies, 99)
	}
	return r, version, nil
}

// addStatistic adds a line such as "  Queries completed:    12500 (100.00%)".
func (r result) addStatistic(line string) {
	name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
	key, ok := map[string]string{"Queries completed": "completed", "Queries lost": "lost", "Queries per second": "qps"}[name]
	words := strings.Fields(value)
	if !ok || len(words) == 0 {
		return
	}
	if x, err := strconv.ParseFloat(words[0], 64); err == nil {
		r[key] = x
	}
}

// latency reads a line such as "> NOERROR h0000001.example.com A 0.000123", in seconds; that of a timeout has none.
func latency(words []string) (ms float64, ok bool) {
	const want = 5
	if len(words) != want {
		return 0, false
	}
	s, err := strconv.ParseFloat(words[want-1], 64)
	return s * 1e3, err == nil
}

// percentile is the least value that p percent are not above.
func percentile(values []float64, p float64) float64 {
	slices.Sort(values)
	i := int(math.Ceil(p/100*float64(len(values)))) - 1
	return values[max(i, 0)]
}
