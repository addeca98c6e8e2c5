package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/dnsq/dnsq/internal/load/result"
)

// result is what the run found, judged.
func (r *run) result() *result.Result {
	total, late, queued, timeouts := result.NewTick(0, 0), result.NewHistogram(), result.NewHistogram(), result.NewHistogram()
	var c cost
	out := &result.Result{Schema: result.Schema, Seed: r.plan.Seed, Start: r.start, Reasons: []result.Reason{}}
	for i, s := range r.shards {
		sum := r.collector.totals[i]
		total.Add(sum)
		late.Merge(s.tally.late)
		queued.Merge(s.tally.queued)
		timeouts.Merge(s.tally.timeouts)
		c.add(&s.cost)
		out.Interrupted += s.tally.interrupted
		out.SentOctets += s.tally.sentOctets
		out.Octets += s.tally.octets
		out.Truncated += s.tally.truncated
		out.Shards = append(out.Shards, result.ShardRow{Sent: sum.Sent, Completed: sum.Completed, Response: result.LatencyOf(sum.Response)})
	}
	out.Sent, out.Completed, out.Unsent, out.Lost, out.Strays = total.Sent, total.Completed, total.Unsent, total.Lost, total.Strays
	out.Planned = out.Sent + out.Unsent.Behind + out.Unsent.Window
	explain(&out.Lost, out.Strays.Late, c.dropped)
	out.Connections = result.Connections{Made: c.made, Failed: c.failed, Closed: c.shut}
	r.latencies(out, total, timeouts)
	out.Queued, out.Late = some(queued), some(late)
	out.Types, out.Targets = r.types(), r.targets(total)
	out.BySecond = r.collector.seconds
	r.rates(out, &c)
	r.describe(out, &c)
	r.judge(out)
	return out
}

func (r *run) latencies(out *result.Result, total *result.Tick, timeouts *hdrhistogram.Histogram) {
	out.Response, out.Service, out.Pacing = result.LatencyOf(total.Response), result.LatencyOf(total.Service), result.LatencyOf(total.Pacing)
	out.Histograms = result.Histograms{Response: encode(total.Response), Service: encode(total.Service), Pacing: encode(total.Pacing)}
	lost := timeouts.TotalCount() > 0
	timeouts.Merge(total.Response)
	out.ResponseTimeout = result.LatencyOf(timeouts)
	if lost { // else it is the other one
		out.Histograms.ResponseTimeout = encode(timeouts)
	}
}

// encode is h in its text form. What was counted within the range of a histogram can be written.
func encode(h *hdrhistogram.Histogram) string {
	text, _ := result.Encode(h)
	return text
}

func some(h *hdrhistogram.Histogram) *result.Latency {
	if h.TotalCount() == 0 {
		return nil
	}
	l := result.LatencyOf(h)
	return &l
}

// rates are what is counted by time and by query.
func (r *run) rates(out *result.Result, c *cost) {
	var last Time
	for _, s := range r.shards {
		last = max(last, s.last-s.measured)
	}
	out.Seconds = time.Duration(last).Seconds()
	if out.Seconds > 0 {
		out.QPS, out.Rate = float64(out.Completed)/out.Seconds, float64(out.Sent)/out.Seconds
	}
	if n := float64(out.Completed); n > 0 {
		out.UserCPU, out.SystemCPU = float64(r.user)/n, float64(r.sys)/n
		out.CPU = out.UserCPU + out.SystemCPU
		out.Syscalls = float64(c.syscalls) / n
	}
}
