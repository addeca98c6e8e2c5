package main

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/dnsq/dnsq/internal/bench/lab"
)

// recvResult is what "bench recv" has measured.
type recvResult struct {
	Cells   []cellResult  `json:"cells"`
	Pair    *pairResult   `json:"pair,omitempty"`
	Receive *receiveCost  `json:"receive,omitempty"`
	Wakes   []wakesResult `json:"wakes"`
}

// A cellResult is what a query costs in one cell, or why there is no such cell here.
type cellResult struct {
	recvCell
	recvCosts
	Unavailable string `json:"unavailable"`
}

// A documentTime is what the document found for one kind of time, in percent of recvfrom's.
type documentTime struct {
	name              string
	percent, interval float64
}

func documentTimes() []documentTime {
	return []documentTime{{"user", -2.96, 1.12}, {"system", 1.68, 1.21}}
}

// Text is all of it.
func (r *recvResult) Text() string {
	var b strings.Builder
	if len(r.Cells) > 0 {
		r.printCells(&b)
	}
	if r.Pair != nil {
		r.Pair.print(&b)
	}
	if len(r.Wakes) > 0 {
		r.printWakes(&b)
	}
	return b.String()
}

// printCells is a line for each cell.
func (r *recvResult) printCells(b *strings.Builder) {
	b.WriteString("A query, on average: CPU time in ns, system calls, receives that found nothing\n\n")
	w := tabwriter.NewWriter(b, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "loop\tbackend\tbuffers\toutstanding\tuser\tsystem\ttotal\tsyscalls\tempty\t\n")
	for _, c := range r.Cells {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t", c.Loop, c.Backend, c.Buffers, c.Outstanding)
		if c.Unavailable != "" {
			fmt.Fprint(w, "–\t–\t–\t–\t–\t\n")
			continue
		}
		fmt.Fprintf(w, "%.0f\t%.0f\t%.0f\t%.3f\t%.3f\t\n", c.User, c.System, c.Total, c.Syscalls, c.Empty)
	}
	_ = w.Flush() // to memory
	said := map[string]bool{}
	for _, c := range r.Cells {
		if !said[c.Unavailable] && c.Unavailable != "" {
			fmt.Fprintf(b, "%s/%s is not here: %s\n", c.Loop, c.Backend, printable(c.Unavailable))
			said[c.Unavailable] = true
		}
	}
	b.WriteByte('\n')
}

// print is ministat's table for each kind of time, and the document's figures beside.
func (p *pairResult) print(b *strings.Builder) {
	fmt.Fprintf(b, "%s against %s, runs of %d queries in alternation\n", p.Names[0], p.Names[1], p.Queries)
	fmt.Fprintf(b, "empty receives a query: %.3f and %.3f; system calls: %.3f and %.3f\n", p.Empty[0], p.Empty[1], p.Syscalls[0], p.Syscalls[1])
	for _, name := range recvTimes() {
		if c, ok := p.Compared[name]; ok {
			fmt.Fprintf(b, "\n%s time, ns a query\n%s", name, c.Text())
		}
	}
	if !p.Document || len(p.Compared) == 0 {
		b.WriteByte('\n')
		return
	}
	b.WriteString("\nthe document (N = 5048 and 5141, 99.5 %), and here:\n")
	for _, d := range documentTimes() {
		s := p.Compared[d.name].Student
		fmt.Fprintf(b, "  %-6s time  %+.2f %% ± %.2f   %+.2f %% ± %.2f: %s\n", d.name, d.percent, d.interval, s.Percent, s.PercentInterval, d.verdict(p))
	}
	b.WriteByte('\n')
}

// verdict says whether this machine shows what the document found.
func (d documentTime) verdict(p *pairResult) string {
	c := p.Compared[d.name]
	switch s := c.Student; {
	case !s.Proven() && !c.Ranks.Proven():
		return fmt.Sprintf("no difference proven here; for one as large as the document's it would take some %.0f runs", d.runs(p))
	case !s.Proven() || !c.Ranks.Proven():
		return "the tests disagree"
	case (s.Delta > 0) == (d.percent > 0):
		return "as the document found"
	}
	return "this machine differs"
}

// runs is how many of each side would make the interval as narrow as the document's difference is wide.
func (d documentTime) runs(p *pairResult) float64 {
	s := p.Compared[d.name]
	wide := s.Student.PercentInterval / d.percent
	n := max(float64(s.Samples[0].N)*wide*wide, 2)
	unit := math.Pow10(max(int(math.Log10(n))-1, 0)) // two digits say enough
	return math.Round(n/unit) * unit
}

// Rows are the document's questions.
func (r *recvResult) Rows() (rows []lab.Row) {
	if p := r.Pair; p != nil && p.Document {
		rows = append(rows, lab.Row{
			Question: "empty receives a query, edge-triggered, one outstanding: recvfrom; recvmmsg with 2 buffers",
			Document: "1; 0", Here: fmt.Sprintf("%.3f; %.3f", p.Empty[0], p.Empty[1]),
		})
		for _, d := range documentTimes() {
			if c, ok := p.Compared[d.name]; ok {
				rows = append(rows, lab.Row{
					Question: d.name + " time, recvmmsg with 2 buffers against recvfrom",
					Document: fmt.Sprintf("%+.2f %% ± %.2f", d.percent, d.interval),
					Here:     fmt.Sprintf("%+.2f %% ± %.2f: %s", c.Student.Percent, c.Student.PercentInterval, d.verdict(p)),
				})
			}
		}
	}
	for _, w := range r.Wakes {
		rows = append(rows, lab.Row{
			Question: fmt.Sprintf("replies a wake and the cheapest number of buffers, %d outstanding", w.Outstanding),
			Document: "left open", Here: fmt.Sprintf("%.1f; %d (the engine offers %.1f)", w.Mean, w.Best, w.Offered),
		})
	}
	return rows
}

// Plots are the pair's times and the replies a wake.
func (r *recvResult) Plots() (plots []lab.Plot) {
	if r.Pair != nil {
		for _, name := range recvTimes() {
			s := r.Pair.Samples[name]
			plots = append(plots, lab.Histogram(name+" time", "ns a query", s[:]...))
		}
	}
	if len(r.Wakes) > 0 {
		plots = append(plots, wakesPlot(r.Wakes))
	}
	return plots
}
