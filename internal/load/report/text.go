package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

// Opening writes what dnsperf says before a run: of r it needs the version, the command, the seed, the start and the plan.
func Opening(w io.Writer, r *result.Result) error {
	var b strings.Builder
	status := func(format string, args ...any) {
		b.WriteString("[Status] " + plain(fmt.Sprintf(format, args...)) + "\n")
	}
	fmt.Fprintf(&b, "DNS Performance Testing Tool\nVersion %s (dnsq)\n\n", plain(r.Version))
	status("Command line: %s", strings.Join(r.Command, " "))
	status("Sending queries (to %s)", strings.Join(r.Plan.Servers, ", "))
	status("Started at: %s", r.Start.Local().Format(time.ANSIC))
	status("Stopping after %s", until(&r.Plan))
	status("Plan: %s, %d outstanding, %d clients, %d threads, seed %d", load(&r.Plan), r.Plan.Outstanding, r.Plan.Clients, r.Plan.Threads, r.Seed)
	_, err := io.WriteString(w, b.String())
	return err
}

// until says what ends a plan, in dnsperf's words.
func until(p *result.Plan) string {
	var ends []string
	if p.Seconds > 0 {
		ends = append(ends, fmt.Sprintf("%.6f seconds", p.Seconds))
	}
	if p.Count > 0 {
		ends = append(ends, fmt.Sprintf("%d queries", p.Count))
	}
	switch {
	case p.Rounds == 1:
		ends = append(ends, "1 run through file")
	case p.Rounds > 1:
		ends = append(ends, fmt.Sprintf("%d runs through file", p.Rounds))
	case len(ends) == 0:
		return "a signal"
	}
	return strings.Join(ends, " or ")
}

// load says how queries come.
func load(p *result.Plan) string {
	text := p.Mode + " loop over " + p.Transport
	if p.Rate != "" {
		text += ", rate " + p.Rate
	}
	if p.Arrival != "" {
		text += ", " + p.Arrival + " arrivals"
	}
	return text
}

// Closing writes what dnsperf says at a run's end: why it ended, as in "time limit", "end of file" and "interruption".
func Closing(w io.Writer, why string) error {
	_, err := fmt.Fprintf(w, "[Status] Testing complete (%s)\n", plain(why))
	return err
}

// Text writes the summary: dnsperf's statistics, what it does not count, and last the verdict.
func Text(w io.Writer, r *result.Result) error {
	t := new(text)
	t.line("\nStatistics:\n")
	t.counts(r)
	t.speed(r)
	t.more(r)
	t.latency(r)
	t.cost(r)
	t.connections(r)
	t.parts(r)
	t.verdict(r)
	_, err := io.WriteString(w, t.String())
	return err
}

// text is a summary in the making.
type text struct{ strings.Builder }

func (t *text) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// row has dnsperf's width.
func (t *text) row(name, format string, args ...any) {
	t.line("  %-21s %s", name+":", fmt.Sprintf(format, args...))
}

func (t *text) counts(r *result.Result) {
	t.row("Queries sent", "%d", r.Sent)
	t.row("Queries completed", "%s", counted(r.Completed, r.Sent))
	t.row("Queries lost", "%s", counted(r.Lost.Total(), r.Sent))
	if r.Interrupted > 0 {
		t.row("Queries interrupted", "%s", counted(r.Interrupted, r.Sent))
	}
	t.line("")
}

func (t *text) speed(r *result.Result) {
	var codes []string
	for _, c := range rcodes(r.Types) {
		codes = append(codes, plain(c.Name)+" "+counted(c.Count, r.Completed))
	}
	t.row("Response codes", "%s", strings.Join(codes, ", "))
	t.row("Average packet size", "request %.0f, response %.0f",
		part(float64(r.SentOctets), float64(r.Sent)), part(float64(r.Octets), float64(r.Completed)))
	t.row("Run time (s)", "%.6f", r.Seconds)
	t.row("Queries per second", "%.6f", r.QPS)
	t.line("")
	s := r.Service
	t.row("Average Latency (s)", "%s (min %s, max %s)", seconds(s.Mean), seconds(s.Min), seconds(s.Max))
	if s.Count > 1 {
		t.row("Latency StdDev (s)", "%s", seconds(s.Stddev))
	}
	t.line("")
}

func (t *text) verdict(r *result.Result) {
	t.line("Verdict: %s", r.Verdict)
	for _, reason := range r.Reasons {
		t.line("  %s: %s", plain(reason.Code), plain(reason.Text))
	}
}
