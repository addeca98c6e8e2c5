package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/dnsq/dnsq/internal/bench/busypoll"
	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/stat"
)

// busypollResult is what "bench busypoll" has measured.
type busypollResult struct {
	Sockets  int           `json:"sockets"`
	BusyPoll string        `json:"net_core_busy_poll"` // of the machine
	Networks []busyNetwork `json:"networks"`
}

// A busyNetwork is what all ways gave on one way to a responder.
type busyNetwork struct {
	Name     string                     `json:"name"`
	NAPI     int                        `json:"napi"` // of the device's queue; 0: there is none
	Ways     []busyWay                  `json:"ways"`
	Samples  map[string][2]stat.Sample  `json:"samples"` // µs, the P50 of each run
	Compared map[string]stat.Comparison `json:"compared"`

	pooled [][]float64 // latencies, by the way
}

// A busyWay is what one way to wait gave, or why it is not here.
type busyWay struct {
	busypoll.Way
	Latency     latency `json:"latency_us"`
	Messages    int     `json:"messages"`
	CPU         float64 `json:"cpu_us"`     // a message
	Part        float64 `json:"cpu"`        // of a processor
	Polled      float64 `json:"busypolled"` // a message
	Unavailable string  `json:"unavailable"`
}

// A busyPair is two ways that are compared; the document's figures, 0 where it has none, in µs.
type busyPair struct {
	name          string
	first, second busypoll.Way
	before, after float64
}

func busyPairs() []busyPair {
	return []busyPair{
		{"poll", busypoll.Way{Call: "poll", Mode: busypoll.Sleep}, busypoll.Way{Call: "poll", Mode: busypoll.Busy}, 51.9, 7.0},
		{"select", busypoll.Way{Call: "select", Mode: busypoll.Sleep}, busypoll.Way{Call: "select", Mode: busypoll.Busy}, 51.8, 7.2},
		{"epoll", busypoll.Way{Call: "epoll", Mode: busypoll.Sleep}, busypoll.Way{Call: "epoll", Mode: busypoll.Busy}, 0, 0},
		{"spin", busypoll.Way{Call: "epoll", Mode: busypoll.Sleep}, busypoll.Way{Call: "epoll", Mode: busypoll.Spin}, 0, 0},
	}
}

// way finds one by its name.
func (n *busyNetwork) way(w busypoll.Way) (i int) {
	for i = range n.Ways {
		if n.Ways[i].Way == w {
			break
		}
	}
	return i
}

// finish fills in the figures, and notes what they do not show.
func (n *busyNetwork) finish(l *lab.Lab, r *busypollResult, runs []busyRun) (err error) {
	n.Samples, n.Compared = map[string][2]stat.Sample{}, map[string]stat.Comparison{}
	n.pooled = make([][]float64, len(runs))
	for i, run := range runs {
		w := &n.Ways[i]
		if w.Unavailable != "" {
			l.Note("%s, %v: %s", n.Name, w.Way, w.Unavailable)
			continue
		}
		n.pooled[i] = run.latencies
		w.Messages, w.Latency = len(run.latencies), latencyOf(run.latencies)
		w.CPU = float64(run.cpu) / 1e3 / float64(w.Messages)
		w.Part, w.Polled = float64(run.cpu)/float64(run.took), float64(run.polled)/float64(w.Messages)
	}
	for _, p := range busyPairs() {
		s := [2]stat.Sample{{Name: p.first.String(), Values: runs[n.way(p.first)].medians}, {Name: p.second.String(), Values: runs[n.way(p.second)].medians}}
		if len(s[0].Values) < 2 || len(s[1].Values) < 2 {
			continue
		}
		n.Samples[p.name] = s
		if n.Compared[p.name], err = stat.Compare(s[0], s[1], stat.DefaultLevel); err != nil {
			return err
		}
	}
	n.tell(l, r)
	return nil
}

// tell notes why busy polling has the effect that it has.
func (n *busyNetwork) tell(l *lab.Lab, r *busypollResult) {
	if n.NAPI == 0 {
		l.Note("%s has no device queue (SO_INCOMING_NAPI_ID is 0): there is nothing that could be busy polled, whatever is set", n.Name)
	} else if r.BusyPoll == "0" {
		l.Note("net.core.busy_poll is 0, and one setting for the whole machine: poll and select do not poll the device here, only receives and epoll do")
	}
	if busy := n.Ways[n.way(busypoll.Way{Call: "epoll", Mode: busypoll.Busy})]; n.NAPI != 0 && busy.Unavailable == "" {
		l.Note("%s: epoll's busy polling took %.0f %% of the replies off the device by itself; the others had been by the processor that the device's queue was scheduled on, "+
			"which with veth is the sender's", n.Name, 100*min(busy.Polled, 1))
	}
}

// Text is a table for each network, and the comparisons.
func (r *busypollResult) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "One message in flight over %d UDP sockets; round trips in µs, processor time a message in µs and as a part of one processor\n", r.Sockets)
	fmt.Fprintf(&b, "net.core.busy_poll: %s\n", r.BusyPoll)
	for i := range r.Networks {
		r.Networks[i].print(&b)
	}
	return b.String()
}

func (n *busyNetwork) print(b *strings.Builder) {
	what := fmt.Sprintf("NAPI id %d", n.NAPI)
	if n.NAPI == 0 {
		what = "no device to poll: NAPI id 0"
	}
	fmt.Fprintf(b, "\n%s, %s\n\n", printable(n.Name), what)
	w := tabwriter.NewWriter(b, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "call\tmode\tp50\tp90\tp99\tmessages\tcpu\tpart\tbusy polled\t\n")
	for _, one := range n.Ways {
		if one.Unavailable != "" {
			fmt.Fprintf(w, "%s\t%s\t–\t–\t–\t–\t–\t–\t–\t\n", one.Call, one.Mode)
			continue
		}
		l := one.Latency
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%.1f\t%.1f\t%d\t%.1f\t%.2f\t%.3f\t\n", one.Call, one.Mode, l.P50, l.P90, l.P99, one.Messages, one.CPU, one.Part, one.Polled)
	}
	_ = w.Flush() // to memory
	for _, p := range busyPairs() {
		if c, ok := n.Compared[p.name]; ok {
			fmt.Fprintf(b, "\n%s: P50 of a run, µs\n%s", printable(n.Name), c.Text())
		}
	}
	b.WriteByte('\n')
	for _, p := range busyPairs() {
		fmt.Fprintf(b, "%s to %s: the document %s; here %s\n", p.first, p.second, p.document(), n.here(p))
	}
}

func (p busyPair) document() string {
	if p.before == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f → %.1f µs (× %.3f)", p.before, p.after, p.after/p.before)
}

// here is what this machine says of a pair.
func (n *busyNetwork) here(p busyPair) string {
	first, second := n.Ways[n.way(p.first)], n.Ways[n.way(p.second)]
	if why := first.Unavailable + second.Unavailable; why != "" {
		return printable(why)
	}
	text := fmt.Sprintf("%.1f → %.1f µs (× %.3f)", first.Latency.P50, second.Latency.P50, second.Latency.P50/first.Latency.P50)
	if p.second.Mode == busypoll.Busy && n.NAPI == 0 {
		text += ", no device to poll"
	}
	return text
}

// Rows are the document's pairs and this library's, for each network.
func (r *busypollResult) Rows() (rows []lab.Row) {
	for i := range r.Networks {
		n := &r.Networks[i]
		for _, p := range busyPairs() {
			if p.name == "select" {
				continue // as poll, but for the way to name descriptors
			}
			rows = append(rows, lab.Row{
				Question: fmt.Sprintf("P50 over %d UDP sockets, %s, %s to %s", r.Sockets, n.Name, p.first, p.second), Document: p.document(), Here: n.here(p),
			})
		}
	}
	return rows
}

// below leaves out of a plot what a few waited for ever so long.
func below(values []float64, most float64) (list []float64) {
	for _, v := range values {
		if v <= most {
			list = append(list, v)
		}
	}
	return list
}

// Plots are the round trips of each network by epoll, up to the largest P90.
func (r *busypollResult) Plots() (plots []lab.Plot) {
	for i := range r.Networks {
		n := &r.Networks[i]
		most := 0.0
		for _, w := range n.Ways {
			most = max(most, w.Latency.P90)
		}
		var samples []stat.Sample
		for i, w := range n.Ways {
			if w.Call == "epoll" && w.Unavailable == "" {
				samples = append(samples, stat.Sample{Name: w.String(), Values: below(n.pooled[i], most)})
			}
		}
		plots = append(plots, lab.Histogram("round trip, "+n.Name, "µs", samples...))
	}
	return plots
}
