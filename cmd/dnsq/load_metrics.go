package main

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/dnsq/dnsq/internal/load/result"
)

// A metrics is what Prometheus reads of a load run that goes on: all ticks since its start added up, the warm-up's too. It is a collector of its own
// because the library's histograms take one value at a time, and a tick has as many as a second had answers.
type metrics struct {
	sent, completed, lost, unsent, strays, response, inFlight, target *prometheus.Desc

	mu     sync.Mutex
	all    *result.Tick
	shards map[int]gauges // of the last tick of each
}

type gauges struct{ inFlight, target float64 }

func newMetrics() *metrics {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("dnsq_load_"+name, help, labels, nil)
	}
	return &metrics{
		sent:      desc("queries_sent_total", "Queries sent."),
		completed: desc("queries_completed_total", "Queries answered in time."),
		lost:      desc("queries_lost_total", "Queries sent and not answered in time, by why.", "kind"),
		unsent:    desc("queries_unsent_total", "Queries that the plan had and were not sent, by why.", "kind"),
		strays:    desc("stray_answers_total", "Messages that answered no outstanding query, by what they are.", "kind"),
		response:  desc("response_seconds", "Time from the instant that the plan had to the answer."),
		inFlight:  desc("in_flight", "Queries outstanding."),
		target:    desc("target_queries_per_second", "Rate that the plan has now; 0 where it has none."),
		all:       result.NewTick(0, 0),
		shards:    map[int]gauges{},
	}
}

// observe adds a tick: of one shard, or of all together.
func (m *metrics) observe(t *result.Tick) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all.Add(t)
	m.shards[t.Shard] = gauges{float64(t.InFlight), t.Target}
}

// Describe is a part of prometheus.Collector.
func (m *metrics) Describe(out chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, out) }

// Collect is a part of prometheus.Collector.
func (m *metrics) Collect(out chan<- prometheus.Metric) {
	m.mu.Lock()
	defer m.mu.Unlock()
	counter := func(d *prometheus.Desc, n uint64, kind ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), kind...)
	}
	lost, unsent, strays := &m.all.Lost, &m.all.Unsent, &m.all.Strays
	counter(m.sent, m.all.Sent)
	counter(m.completed, m.all.Completed)
	counter(m.lost, lost.ClientDrop, "client_drop")
	counter(m.lost, lost.SendError, "send_error")
	counter(m.lost, lost.ICMP, "icmp")
	counter(m.lost, lost.Closed, "closed")
	counter(m.lost, lost.Late, "late")
	counter(m.lost, lost.Timeout, "timeout")
	counter(m.unsent, unsent.Behind, "behind")
	counter(m.unsent, unsent.Window, "window")
	counter(m.strays, strays.Late, "late")
	counter(m.strays, strays.Duplicate, "duplicate")
	counter(m.strays, strays.Mismatched, "mismatched")
	counter(m.strays, strays.Unsolicited, "unsolicited")
	counter(m.strays, strays.Malformed, "malformed")
	var now gauges
	for _, g := range m.shards {
		now.inFlight += g.inFlight
		now.target += g.target
	}
	out <- prometheus.MustNewConstMetric(m.inFlight, prometheus.GaugeValue, now.inFlight)
	out <- prometheus.MustNewConstMetric(m.target, prometheus.GaugeValue, now.target)
	out <- m.histogram()
}

// histogram has the response times so far in buckets from 10 µs to 100 s, three to a power of ten.
func (m *metrics) histogram() prometheus.Metric {
	buckets := map[float64]uint64{}
	for power := -5; power < 2; power++ {
		for _, step := range []float64{1, 2.5, 5} {
			buckets[step*math.Pow10(power)] = 0
		}
	}
	sum, count := 0.0, uint64(0)
	for _, bar := range m.all.Response.Distribution() {
		if bar.Count == 0 {
			continue
		}
		sum += float64(bar.From+bar.To) / 2e9 * float64(bar.Count)
		count += uint64(bar.Count)
		for bound := range buckets {
			if float64(bar.From) <= bound*1e9 {
				buckets[bound] += uint64(bar.Count)
			}
		}
	}
	return prometheus.MustNewConstHistogram(m.response, count, sum, buckets)
}

// serve answers GET /metrics at an address until stop is called. It returns what the address became, where its port is 0.
func (m *metrics) serve(addr string) (stop func(), bound string, err error) {
	registry := prometheus.NewRegistry()
	if err := registry.Register(m); err != nil {
		return nil, "", err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, "", fmt.Errorf("cannot serve metrics at %q, want address:port: %w", addr, err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l) // it ends with Close
	}()
	return func() {
		server.Close()
		<-done
	}, l.Addr().String(), nil
}
