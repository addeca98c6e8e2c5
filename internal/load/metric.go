package load

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/load/result"
)

// metric is a value of a result that an SLO can bound: a share, or a time in microseconds.
type metric struct {
	name  string
	of    func(r *result.Result) float64
	share bool
	sent  bool // it is known without an answer
}

// times are the metrics of the response time.
func times() map[string]func(l *result.Latency) float64 {
	return map[string]func(l *result.Latency) float64{
		"p50":    func(l *result.Latency) float64 { return l.P50 },
		"p75":    func(l *result.Latency) float64 { return l.P75 },
		"p90":    func(l *result.Latency) float64 { return l.P90 },
		"p95":    func(l *result.Latency) float64 { return l.P95 },
		"p99":    func(l *result.Latency) float64 { return l.P99 },
		"p99.9":  func(l *result.Latency) float64 { return l.P999 },
		"p99.99": func(l *result.Latency) float64 { return l.P9999 },
		"mean":   func(l *result.Latency) float64 { return l.Mean },
		"max":    func(l *result.Latency) float64 { return l.Max },
	}
}

// metricNamed returns that of the name, in lower case.
func metricNamed(name string) (metric, error) {
	if name == "loss" {
		return metric{name: name, of: lossShare, share: true, sent: true}, nil
	}
	if of := times()[name]; of != nil {
		return metric{name: name, of: func(r *result.Result) float64 { return of(&r.ResponseTimeout) }}, nil
	}
	code, ok := dns.StringToRcode[strings.ToUpper(name)]
	if name == "badvers" {
		code, ok = dns.RcodeBadVers, true
	}
	if !ok {
		return metric{}, fmt.Errorf("there is no metric %q; there is loss, p50, p75, p90, p95, p99, p99.9, p99.99, mean, max and each response code, as servfail", name)
	}
	of := func(r *result.Result) float64 { return rcodeShare(r, rcodeName(code)) }
	return metric{name: name, of: of, share: true}, nil
}

func lossShare(r *result.Result) float64 { return float64(r.Lost.Total()) / float64(max(r.Sent, 1)) }

func rcodeShare(r *result.Result, name string) float64 {
	var n uint64
	for _, t := range r.Types {
		n += t.Rcodes[name]
	}
	return float64(n) / float64(max(r.Completed, 1))
}

func (m *metric) parse(s string) (float64, error) {
	if m.share {
		return parseShare(s)
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is not a length of time; write it as 5ms or 500us", s)
	}
	return float64(d) / 1e3, nil
}

func parseShare(s string) (float64, error) {
	digits, isPercent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if isPercent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("%q is not a share; write it as 0.1%% or 0.001", s)
	}
	return v, nil
}

func (m *metric) format(v float64) string {
	if m.share {
		return strconv.FormatFloat(100*v, 'g', 4, 64) + "%"
	}
	return time.Duration(v * 1e3).String()
}
