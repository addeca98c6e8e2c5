package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/stat"
)

// A latency is what netperf prints of one, in µs.
type latency struct {
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	P50    float64 `json:"p50"`
	P90    float64 `json:"p90"`
	P99    float64 `json:"p99"`
	Mean   float64 `json:"mean"`
	Stddev float64 `json:"stddev"`
}

// latencyOf needs a value. A percentile is the least that so many of them do not exceed.
func latencyOf(values []float64) latency {
	sorted := slices.Sorted(slices.Values(values))
	at := func(part float64) float64 { return sorted[max(int(math.Ceil(part*float64(len(sorted)))), 1)-1] }
	s := stat.Summarize(values)
	return latency{s.Min, s.Max, at(0.5), at(0.9), at(0.99), s.Mean, s.Stddev}
}

func (l latency) figures() []float64 {
	return []float64{l.Min, l.Max, l.P50, l.P90, l.P99, l.Mean, l.Stddev}
}

// A documentLatency is a line of the document's table, before and after, as printed there; 0: it has none.
type documentLatency struct {
	name          string
	before, after float64
}

func documentLatencies() []documentLatency {
	return []documentLatency{
		{"MIN", 0, 0}, {"MAX", 997_109, 78_366}, {"P50", 305_000, 33_583}, {"P90", 550_000, 59_000}, {"P99", 710_000, 69_000},
		{"MEAN", 376_989, 38_364}, {"STDDEV", 0, 0},
	}
}

// budgetResult is what "bench budget" has measured.
type budgetResult struct {
	Antagonists int                        `json:"antagonists"`
	Rate        int                        `json:"rate"`
	Work        float64                    `json:"work_ns"`
	Sides       [2]budgetFigures           `json:"sides"`       // the budget off, on
	P99Ratio    float64                    `json:"p99_ratio"`   // on over off
	FloodRatio  float64                    `json:"flood_ratio"` // on over off
	Samples     map[string][2]stat.Sample  `json:"samples"`     // a value for each run
	Compared    map[string]stat.Comparison `json:"compared"`
	Unavailable string                     `json:"unavailable"` // why nothing could be measured

	pooled [2][]float64 // latencies of all runs
	took   [2]time.Duration
	used   [2]time.Duration // of processors
}

// budgetFigures are those of all runs of one side.
type budgetFigures struct {
	Name     string  `json:"name"`
	Latency  latency `json:"latency_us"`
	Queries  int     `json:"queries"`
	Lost     int     `json:"lost"`
	Flood    float64 `json:"flood"` // datagrams a second that the loop took
	Dropped  uint64  `json:"dropped"`
	FloodCPU float64 `json:"flood_cpu"` // datagrams a second of processor time
	CPU      float64 `json:"cpu"`       // part of one processor
	Turns    float64 `json:"turns"`     // a second
	Longest  float64 `json:"longest_turn_us"`

	datagrams, turns uint64
}

// What is compared, run by run.
func budgetSamples() []string { return []string{"p99", "mean", "flood", "flood_cpu"} }

// lessShare is the part of a processor below which others had a share that shows.
const lessShare = 0.95

func newBudgetResult(b *benchBudget, antagonists int) *budgetResult {
	r := &budgetResult{
		Antagonists: antagonists, Rate: b.rate, Work: float64(b.work), Samples: map[string][2]stat.Sample{}, Compared: map[string]stat.Comparison{},
	}
	for _, name := range budgetSamples() {
		var s [2]stat.Sample
		for i, side := range budgetSides() {
			r.Sides[i].Name = side.name
			s[i].Name = "budget " + side.name
		}
		r.Samples[name] = s
	}
	return r
}

// add books a run.
func (r *budgetResult) add(side int, s *budgetStream, dropped uint64) {
	took, used := time.Duration(s.last.at-s.first.at), s.last.cpu-s.first.cpu
	datagrams := s.last.datagrams - s.first.datagrams
	f := &r.Sides[side]
	f.Queries += s.asked
	f.Lost += s.lost
	f.Dropped += dropped
	f.datagrams += datagrams
	f.turns += s.last.turns - s.first.turns
	f.Longest = max(f.Longest, float64(s.long)/1e3)
	r.took[side] += took
	r.used[side] += used
	r.pooled[side] = append(r.pooled[side], s.latencies...)
	l := latencyOf(s.latencies)
	for i, v := range []float64{l.P99, l.Mean, perSecond(datagrams, took), perSecond(datagrams, used)} {
		both := r.Samples[budgetSamples()[i]]
		both[side].Values = append(both[side].Values, v)
		r.Samples[budgetSamples()[i]] = both
	}
}

// perSecond is 0 where the system does not tell the time used.
func perSecond(n uint64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// finish compares, and notes what the figures do not show.
func (r *budgetResult) finish(l *lab.Lab) (err error) {
	for side := range r.Sides {
		f := &r.Sides[side]
		f.Latency = latencyOf(r.pooled[side])
		f.Flood, f.FloodCPU = perSecond(f.datagrams, r.took[side]), perSecond(f.datagrams, r.used[side])
		f.Turns, f.CPU = perSecond(f.turns, r.took[side]), float64(r.used[side])/float64(r.took[side])
		if f.CPU > 0 && f.CPU < lessShare {
			l.Note("others used the client's processor meanwhile: what the flood's throughput says is in the datagrams a second of processor time")
		}
		if f.Lost > 0 {
			l.Note("budget %s: %d of %d queries got no reply; the latencies are without them", f.Name, f.Lost, f.Queries)
		}
	}
	r.P99Ratio = r.Sides[1].Latency.P99 / r.Sides[0].Latency.P99
	r.FloodRatio = r.Sides[1].Flood / max(r.Sides[0].Flood, 1)
	if !r.starved() {
		l.Note("no starvation could be shown: with %d antagonists the P99 without the budget is %.1f ms", r.Antagonists, r.Sides[0].Latency.P99/1e3)
	}
	if r.Sides[0].Dropped == 0 {
		l.Note("the flood did not fill the queues: the loop took all of it, so that its throughput says nothing of the loop's")
	}
	return r.compare()
}

// compare needs two runs of each side.
func (r *budgetResult) compare() (err error) {
	for name, s := range r.Samples {
		if len(s[0].Values) < 2 {
			continue
		}
		if r.Compared[name], err = stat.Compare(s[0], s[1], stat.DefaultLevel); err != nil {
			return err
		}
	}
	return nil
}

func (r *budgetResult) starved() bool { return r.Sides[0].Latency.P99 >= starved }

// Text is netperf's table, the document's beside this machine's, then ministat's for the runs.
func (r *budgetResult) Text() string {
	if r.Unavailable != "" {
		return "not measured: " + printable(r.Unavailable) + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "A stream of %d queries a second and %d antagonists in one loop; latency from when a query was due, in µs; the document's as printed\n\n",
		r.Rate, r.Antagonists)
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\tdocument before\tafter\tratio\tbudget off\ton\tratio\t\n")
	off, on := r.Sides[0].Latency.figures(), r.Sides[1].Latency.figures()
	for i, d := range documentLatencies() {
		fmt.Fprintf(w, "%s\t%s\t%.0f\t%.0f\t%.3f\t\n", d.name, d.cells(), off[i], on[i], on[i]/off[i])
	}
	_ = w.Flush() // to memory
	b.WriteByte('\n')
	for _, f := range r.Sides {
		fmt.Fprintf(&b, "budget %s: %d queries, %d lost; flood %.0f datagrams a second taken (%.0f a second of processor time), %d dropped by full queues; %.0f turns a second, the longest %.1f ms\n",
			f.Name, f.Queries, f.Lost, f.Flood, f.FloodCPU, f.Dropped, f.Turns, f.Longest/1e3)
	}
	for _, name := range budgetSamples() {
		if c, ok := r.Compared[name]; ok {
			fmt.Fprintf(&b, "\n%s\n%s", budgetUnit(name), c.Text())
		}
	}
	b.WriteByte('\n')
	return b.String()
}

func budgetUnit(name string) string {
	return map[string]string{
		"p99": "P99 of a run, µs", "mean": "mean of a run, µs", "flood": "flood taken, datagrams a second",
		"flood_cpu": "flood taken, datagrams a second of processor time",
	}[name]
}

func (d documentLatency) cells() string {
	if d.before == 0 {
		return "–\t–\t–"
	}
	return fmt.Sprintf("%.0f\t%.0f\t%.3f", d.before, d.after, d.after/d.before)
}

// Rows are the document's figures.
func (r *budgetResult) Rows() (rows []lab.Row) {
	off, on := r.Sides[0].Latency.figures(), r.Sides[1].Latency.figures()
	for i, d := range documentLatencies() {
		if d.name != "P50" && d.name != "P99" {
			continue // the text has all
		}
		row := lab.Row{
			Question: fmt.Sprintf("%s of a query's latency, %d antagonists, budget off and on", d.name, r.Antagonists),
			Document: fmt.Sprintf("%.0f → %.0f (× %.3f)", d.before, d.after, d.after/d.before),
			Here:     fmt.Sprintf("%.1f ms → %.1f ms (× %.3f)", off[i]/1e3, on[i]/1e3, on[i]/off[i]),
		}
		switch {
		case r.Unavailable != "":
			row.Here = "not measured: " + printable(r.Unavailable)
		case !r.starved():
			row.Here += "; no starvation could be shown"
		}
		rows = append(rows, row)
	}
	flood, ok := r.Compared["flood"]
	cpu, also := r.Compared["flood_cpu"]
	if ok && also {
		rows = append(rows, lab.Row{
			Question: "the flood's throughput, on against off", Document: "unchanged",
			Here: fmt.Sprintf("%+.1f %% ± %.1f; by processor time %+.1f %% ± %.1f",
				flood.Student.Percent, flood.Student.PercentInterval, cpu.Student.Percent, cpu.Student.PercentInterval),
		})
	}
	return rows
}

// Plots are the latencies and the flood. Those of the two sides differ too much for one scale that is not logarithmic.
func (r *budgetResult) Plots() []lab.Plot {
	if r.Unavailable != "" {
		return nil
	}
	var logs [2]stat.Sample
	for i, values := range r.pooled {
		logs[i].Name = "budget " + r.Sides[i].Name
		for _, v := range values {
			logs[i].Values = append(logs[i].Values, math.Log10(max(v, 1)))
		}
	}
	flood := r.Samples["flood"]
	return []lab.Plot{
		lab.Histogram("latency of the stream", "decimal logarithm of µs", logs[:]...),
		lab.Histogram("flood taken", "datagrams a second", flood[:]...),
	}
}
