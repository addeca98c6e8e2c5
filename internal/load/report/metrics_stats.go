package report

import (
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

func nanos(us float64) int64 { return int64(us * 1e3) }

func metricsSecond(id metricsID, r *result.Result, s *result.Second) metricsStats {
	since := r.Start.Add(time.Duration(s.At) * time.Second)
	lost := s.Lost
	m := metricsStats{
		metricsID: id.of("stats_periodic"), Since: since.UnixNano(), Until: since.Add(time.Second).UnixNano(),
		Queries: s.Sent, Responses: s.Completed, LostSecond: &lost,
	}
	if s.Completed > 0 {
		m.Latency = &metricsLatency{Avg: nanos(s.Mean), Min: nanos(s.Min), Max: nanos(s.Max)}
		for i, n := range s.Heat {
			if n > 0 {
				m.Latency.Buckets = append(m.Latency.Buckets, [3]int64{int64(result.HeatBound(i)), int64(result.HeatBound(i + 1)), int64(n)})
			}
		}
	}
	return m
}

func metricsSum(id metricsID, r *result.Result) (metricsStats, error) {
	lost := r.Lost
	timeouts := lost.ClientDrop + lost.Late + lost.Timeout // none of them had an answer in time
	discarded := lost.SendError + lost.ICMP + lost.Closed
	unexpected := total(strayKinds(&r.Strays))
	latency, err := wholeLatency(r)
	if err != nil {
		return metricsStats{}, err
	}
	m := metricsStats{
		metricsID: id.of("stats_sum"), Since: r.Start.UnixNano(), Until: r.Start.Add(time.Duration(r.Seconds * 1e9)).UnixNano(),
		Queries: r.Sent, Responses: r.Completed, Timeouts: &timeouts, Interrupted: &r.Interrupted, Unexpected: &unexpected, Discarded: &discarded,
		Rcodes: map[string]uint64{}, Latency: latency, Verdict: r.Verdict, Lost: &lost,
		Histogram: r.Histograms.Response, Service: r.Histograms.Service,
		Connections: &metricsConn{
			Type: r.Plan.Transport, PacketsSent: r.Sent - min(lost.SendError, r.Sent), PacketsReceived: r.Completed + unexpected,
			SocketErrors: lost.SendError + lost.ICMP, Handshakes: r.Connections.Made, HandshakesFailed: r.Connections.Failed,
		},
	}
	for _, c := range rcodes(r.Types) {
		m.Rcodes[c.Name] = c.Count
	}
	return m, nil
}

// wholeLatency describes all response times; nil where there are none.
func wholeLatency(r *result.Result) (*metricsLatency, error) {
	if r.Response.Count == 0 {
		return nil, nil
	}
	h, err := result.Decode(r.Histograms.Response)
	if err != nil {
		return nil, err
	}
	deviation := nanos(r.Response.Stddev)
	l := &metricsLatency{Avg: nanos(r.Response.Mean), Min: nanos(r.Response.Min), Max: nanos(r.Response.Max), Stddev: &deviation}
	for _, bar := range h.Distribution() {
		if bar.Count > 0 {
			l.Buckets = append(l.Buckets, [3]int64{bar.From, bar.To, bar.Count})
		}
	}
	return l, nil
}
