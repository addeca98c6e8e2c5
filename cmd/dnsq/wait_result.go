package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/dnsq/dnsq/internal/bench/lab"
)

// waitResult is what "bench wait" has measured.
type waitResult struct {
	Source      string         `json:"clock_source"` // of the kernel
	Read        float64        `json:"read_ns"`      // from user space
	Call        float64        `json:"read_call_ns"` // by system call; 0: there is none
	Outstanding int            `json:"outstanding"`  // under load
	Calls       []callResult   `json:"calls"`
	Loops       []loopResult   `json:"loops"`
	Pair        *waysResult    `json:"pair,omitempty"`
	Engine      []engineResult `json:"engine"`
}

// documentShare is what the clock reads of select had of the document's profile.
const documentShare = "9.56 % of the profile (HPET)"

// Text is all of it.
func (r *waitResult) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "clock: %s, %.0f ns a read from user space, %.0f by system call\n\n", r.Source, r.Read, r.Call)
	if len(r.Calls) > 0 {
		r.printCalls(&b)
	}
	if len(r.Loops) > 0 {
		r.printLoops(&b)
	}
	if r.Pair != nil {
		r.Pair.print(&b, r.Outstanding)
	}
	if len(r.Engine) > 0 {
		r.printEngine(&b)
	}
	b.WriteString("the document, and here:\n")
	for _, row := range r.Rows() {
		fmt.Fprintf(&b, "  %s: %s; here %s\n", row.Question, row.Document, row.Here)
	}
	return b.String() + "\n"
}

// printCalls is a line for each call, and ministat's table for select.
func (r *waitResult) printCalls(b *strings.Builder) {
	b.WriteString("A wait that finds a datagram: ns of CPU time, median of the runs; what a timeout adds; the kernel's clock reads for it, by its sources\n\n")
	w := tabwriter.NewWriter(b, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "call\t")
	for _, m := range callManners() {
		fmt.Fprintf(w, "%s\t", m)
	}
	fmt.Fprint(w, "timeout adds\tkernel's reads\t\n")
	for _, c := range r.Calls {
		fmt.Fprintf(w, "%s\t", c.Call)
		for i := range c.Samples {
			fmt.Fprintf(w, "%.0f\t", c.ns(i))
		}
		fmt.Fprintf(w, "%s\t%d\t\n", c.adds(), c.KernelReads)
	}
	_ = w.Flush() // to memory
	if c := r.Calls[0].Timeout; c != nil {
		fmt.Fprintf(b, "\na wait without and with a timeout, ns\n%s", c.Text())
	}
	b.WriteByte('\n')
}

// adds is what a timeout adds to a wait.
func (c *callResult) adds() string {
	if c.Timeout == nil {
		return fmt.Sprintf("%+.0f", c.ns(1)-c.ns(0))
	}
	return fmt.Sprintf("%+.0f ± %.0f", c.Timeout.Student.Delta, c.Timeout.Student.Interval)
}

// printLoops is a line for each loop.
func (r *waitResult) printLoops(b *strings.Builder) {
	b.WriteString("Loops that receive until EAGAIN: a wake, on average (clock reads are the loop's own); CPU time in ns\n\n")
	w := tabwriter.NewWriter(b, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "loop\toutstanding\twakes\tdatagrams\twaits\ttimed\tclock reads\tCPU a wake\tCPU a datagram\t\n")
	for _, c := range r.Loops {
		fmt.Fprintf(w, "%v\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%.0f\t%.0f\t\n",
			c.Way, c.Outstanding, c.Wakes, c.Datagrams, c.Waits, c.TimedWaits, c.ClockReads, c.Wake, c.Datagram)
	}
	_ = w.Flush() // to memory
	b.WriteByte('\n')
}

// print is ministat's table.
func (p *waysResult) print(b *strings.Builder, outstanding int) {
	fmt.Fprintf(b, "%s against %s, %d outstanding, runs of %d queries in alternation\n", p.Names[0], p.Names[1], outstanding, p.Queries)
	if p.Compared != nil {
		fmt.Fprintf(b, "\nCPU time, ns a datagram\n%s", p.Compared.Text())
	}
	b.WriteByte('\n')
}

// printEngine is a line for each load.
func (r *waitResult) printEngine(b *strings.Builder) {
	b.WriteString("The engine: a datagram, on average; waits saved against one for each datagram; CPU time in ns\n\n")
	w := tabwriter.NewWriter(b, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "poller\toutstanding\tturns\twaits\tslept\ttimed\tclock reads\tsaved\tCPU\t\n")
	for _, e := range r.Engine {
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%s\t%.0f\t\n",
			e.Poller, e.Outstanding, e.Turns, e.Waits, e.Wakes, e.TimedWaits, e.ClockReads, e.saved(), e.CPU)
	}
	_ = w.Flush() // to memory
	b.WriteByte('\n')
}

// saved is the part of the waits that are not made.
func (e engineResult) saved() string { return fmt.Sprintf("%.0f %%", 100*max(1-e.Waits, 0)) }

// Rows are the document's questions.
func (r *waitResult) Rows() (rows []lab.Row) {
	for _, c := range r.Calls {
		if c.Timeout != nil && c.Call == documentCall {
			rows = append(rows, c.row(r.Source))
		}
	}
	if p := r.Pair; p != nil && p.Document && p.Compared != nil {
		s := p.Compared.Student
		rows = append(rows, lab.Row{
			Question: fmt.Sprintf("CPU time a datagram without the timeout, by a timerfd beside it, %d outstanding", r.Outstanding),
			Document: "less by " + documentShare,
			Here:     fmt.Sprintf("%+.1f %% ± %.1f: %s", s.Percent, s.PercentInterval, foundAgain(*p.Compared, -1)),
		})
	}
	return append(rows, r.engineRows()...)
}

// documentCall is the one that the document is about; the text has all.
const documentCall = "select"

// row is what a timeout adds.
func (c *callResult) row(source string) lab.Row {
	t := c.Timeout.Student
	return lab.Row{
		Question: "what a timeout adds to a wait by " + c.Call + " that finds a datagram", Document: "three clock reads, " + documentShare,
		Here: fmt.Sprintf("%s ns, %+.1f %% ± %.1f (%s; %d clock reads by the kernel's sources): %s",
			c.adds(), t.Percent, t.PercentInterval, source, c.KernelReads, foundAgain(*c.Timeout, 1)),
	}
}

// engineRows are those under load: what a loop around select gets of a wake, and the engine.
func (r *waitResult) engineRows() (rows []lab.Row) {
	for _, c := range r.Loops {
		if c.String() == strings.Split(documentWays, ",")[0] && c.Outstanding == r.Outstanding {
			rows = append(rows, lab.Row{
				Question: fmt.Sprintf("datagrams a wake of select, receiving until EAGAIN, %d outstanding", c.Outstanding),
				Document: "seldom more than a couple", Here: fmt.Sprintf("%.2f", c.Datagrams),
			})
		}
	}
	for _, e := range r.Engine {
		if e.Outstanding == r.Outstanding {
			rows = append(rows, lab.Row{
				Question: fmt.Sprintf("the engine's waits a datagram, %d outstanding: all; that slept; with a timeout; clock reads", e.Outstanding),
				Document: "“how to get rid of calling lots of select() at all”",
				Here:     fmt.Sprintf("%.3f; %.3f; %.3f; %.3f", e.Waits, e.Wakes, e.TimedWaits, e.ClockReads),
			})
		}
	}
	return rows
}

// Plots are the waits by the manner, and the pair.
func (r *waitResult) Plots() (plots []lab.Plot) {
	for _, c := range r.Calls {
		plots = append(plots, lab.Histogram("a wait by "+c.Call+" that finds a datagram", "ns", c.Samples...))
	}
	if r.Pair != nil {
		plots = append(plots, lab.Histogram(fmt.Sprintf("loops, %d outstanding", r.Outstanding), "CPU ns a datagram", r.Pair.Samples[:]...))
	}
	return plots
}
