package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/stat"
)

// clockResult is what "bench clock" has measured.
type clockResult struct {
	Source    string           `json:"clock_source"` // of the kernel
	Available string           `json:"available"`    // other sources that it could use
	Clocks    []clockReads     `json:"clocks"`
	Compared  *stat.Comparison `json:"compared,omitempty"` // a read by system call and from user space
}

// clockReads are the loops of one way to read the clock.
type clockReads struct {
	Name       string      `json:"name"`
	By         string      `json:"by"`            // Go or system call
	Resolution int64       `json:"resolution_ns"` // stated; 0: not known
	Step       int64       `json:"step_ns"`       // the smallest seen; 0: none
	Loops      []clockLoop `json:"loops"`
}

// A clockLoop is some reads and what they took.
type clockLoop struct {
	Seconds    float64 `json:"seconds"` // of the processor
	Wall       float64 `json:"wall_seconds"`
	Iterations int     `json:"iterations"`
	Each       float64 `json:"ns"` // an iteration
}

// sample is the nanoseconds of a read in each loop.
func (c clockReads) sample() stat.Sample {
	s := stat.Sample{Name: c.Name}
	for _, l := range c.Loops {
		s.Values = append(s.Values, l.Each)
	}
	return s
}

// ns is the average of a read.
func (c clockReads) ns() float64 { return stat.Summarize(c.sample().Values).Mean }

// pair is the same clock as Go reads it and by system call; false: the second is not here.
func (r *clockResult) pair() (user, call clockReads, ok bool) {
	for _, c := range r.Clocks {
		if c.By == "system call" {
			return r.Clocks[0], c, true
		}
	}
	return user, call, false
}

// served reports whether the vDSO serves the clock.
func (r *clockResult) served() bool {
	user, call, ok := r.pair()
	return ok && byVDSO(time.Duration(user.ns()), time.Duration(call.ns()))
}

// kind says how Go reads the clock.
func (r *clockResult) kind() string {
	_, _, ok := r.pair()
	switch {
	case !ok:
		return "clock source " + r.Source
	case r.served():
		return r.Source + ", by vDSO"
	}
	return r.Source + ", which the vDSO does not serve: a system call"
}

// Text is the document's table, ministat's, and what the document found.
func (r *clockResult) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "clock: %s; the kernel could use: %s\n\n", r.kind(), strings.TrimSpace(r.Available))
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, c := range r.Clocks {
		fmt.Fprintf(w, "%s (%s)\tresolution %s\tsmallest step %s\n", c.Name, c.By, nsOrUnknown(c.Resolution), nsOrUnknown(c.Step))
	}
	fmt.Fprint(w, "\ntest\tloop\ttime\titerations\tper-iteration\n")
	for _, c := range r.Clocks {
		for i, l := range c.Loops {
			fmt.Fprintf(w, "%s\t%d\t%.9f\t%d\t%.1f ns\n", c.Name, i, l.Seconds, l.Iterations, l.Each)
		}
	}
	_ = w.Flush() // to memory
	if r.Compared != nil {
		fmt.Fprintf(&b, "\na read by system call, and from user space, ns\n%s", r.Compared.Text())
	}
	b.WriteString("\nthe document, and here:\n")
	for _, row := range r.Rows() {
		fmt.Fprintf(&b, "  %s: %s; here %s\n", row.Question, row.Document, row.Here)
	}
	return b.String() + "\n"
}

func nsOrUnknown(ns int64) string {
	if ns == 0 {
		return "unknown"
	}
	return fmt.Sprintf("%d ns", ns)
}

// Rows are the document's figures beside this machine's.
func (r *clockResult) Rows() []lab.Row {
	user, call, ok := r.pair()
	rows := []lab.Row{{
		Question: "a read of the clock from user space", Document: "TSC 19 ns, HPET 580 ns",
		Here: fmt.Sprintf("%s (%s)", nsWithSpread(r.Clocks[0]), r.kind()),
	}}
	if !ok {
		return append(rows, lab.Row{Question: "a read of the clock by system call", Document: "TSC 279 ns, HPET 2,475 ns", Here: "there is none"})
	}
	rows = append(rows,
		lab.Row{
			Question: "a read of the clock by system call", Document: "TSC 279 ns, HPET 2,475 ns",
			Here: fmt.Sprintf("%s (%s)", nsWithSpread(call), r.Source),
		},
		lab.Row{Question: "a read from user space against one by system call", Document: "TSC −93 %, HPET −77 %", Here: r.difference(user, call)},
	)
	if coarse := r.Clocks[len(r.Clocks)-1]; coarse.Name != call.Name {
		rows = append(rows, lab.Row{
			Question: "a read of the coarse clock by system call", Document: "–",
			Here: fmt.Sprintf("%s, in steps of %.1f ms", nsWithSpread(coarse), float64(coarse.Step)/1e6),
		})
	}
	return rows
}

// difference is the document's question in percent of the system call.
func (r *clockResult) difference(user, call clockReads) string {
	if r.Compared == nil {
		return fmt.Sprintf("%+.1f %% (one loop of each)", 100*(user.ns()/call.ns()-1))
	}
	s := r.Compared.Student
	return fmt.Sprintf("%+.1f %% ± %.1f: %s", s.Percent, s.PercentInterval, foundAgain(*r.Compared, -1))
}

// nsWithSpread is the average of the loops and how much they differ.
func nsWithSpread(c clockReads) string {
	s := stat.Summarize(c.sample().Values)
	if s.N < 2 {
		return fmt.Sprintf("%.1f ns", s.Mean)
	}
	return fmt.Sprintf("%.1f ns, s = %.1f", s.Mean, s.Stddev)
}

// foundAgain says whether a comparison shows the document's difference, of which sign is the direction, by both tests.
func foundAgain(c stat.Comparison, sign float64) string {
	switch t, u := c.Student.Proven(), c.Ranks.Proven(); {
	case !t && !u:
		return "no difference proven here"
	case t != u:
		return "the tests disagree"
	case c.Student.Delta*sign > 0:
		return "as the document found"
	}
	return "this machine differs"
}

// Plots are the distributions of what a read costs.
func (r *clockResult) Plots() (plots []lab.Plot) {
	for _, c := range r.Clocks {
		plots = append(plots, lab.Histogram(c.Name, "ns a read", c.sample()))
	}
	return plots
}
