package report

import (
	_ "embed" // the page's text
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/dnsq/dnsq/internal/load/result"
)

//go:embed page.html
var pageText string

// page is what the template shows.
type page struct {
	Run     *result.Result
	Title   string
	Valid   bool
	Command string
	Figures []figure
	Plots   []plot
	Tables  []table
	Facts   []facts
}

// A figure is one number in large type.
type figure struct{ Name, Value, Note string }

// A plot is a chart, or the words in its place.
type plot struct {
	Title, Says string
	SVG         template.HTML
	Otherwise   string
}

// A table has its first column as the rows' names.
type table struct {
	Title, Says string
	Head        []string
	Rows        [][]string
	Words       bool // the last column is text
}

// Wide reports whether a table wants the page's width.
func (t table) Wide() bool { return len(t.Head) > 6 }

// facts are named values.
type facts struct {
	Title string
	Rows  [][2]string
}

// HTML writes the run as one page that needs nothing else: its charts are in it, and no script is.
func HTML(w io.Writer, r *result.Result) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	plots, err := plotsOf(r)
	if err != nil {
		return err
	}
	command := make([]string, len(r.Command))
	for i, word := range r.Command {
		command[i] = quoted(word)
	}
	return t.Execute(w, page{
		Run: r, Title: "dnsq load: " + strings.Join(r.Plan.Servers, ", "), Valid: r.Verdict == result.Valid, Command: strings.Join(command, " "),
		Figures: figuresOf(r), Plots: plots, Tables: tablesOf(r), Facts: []facts{planFacts(r), hostFacts(r)},
	})
}

func figuresOf(r *result.Result) []figure {
	lost := r.Lost.Total()
	return []figure{
		{"Answers a second", big(r.QPS), fmt.Sprintf("%s sent a second", big(r.Rate))},
		{"Answered", fmt.Sprintf("%.2f%%", percent(r.Completed, r.Sent)), fmt.Sprintf("%s of %s", grouped(r.Completed), grouped(r.Sent))},
		{"Lost", fmt.Sprintf("%.2f%%", percent(lost, r.Sent)), grouped(lost) + " queries"},
		{"Half within", spaced(r.Response.P50), "response, p50"},
		{"99% within", spaced(r.Response.P99), "response, p99"},
		{"99.9% within", spaced(r.Response.P999), "response, p99.9"},
	}
}

func plotsOf(r *result.Result) (plots []plot, err error) {
	for _, p := range []struct {
		plot
		draw func(*result.Result) (template.HTML, error)
	}{
		{plot{"Rate", "Queries a second; where the lines part, queries were lost or came back later.", "", "No second was counted."}, rates},
		{plot{"Loss", "Queries a second that were lost, and that the plan had and this machine did not send.", "", "Nothing was lost, and nothing left unsent."}, losses},
		{plot{"Latency by percentile", "Each mark is ten times rarer than the one before. Response time counts from the instant that the plan had, service time from the send.", "", "Nothing was answered."}, slowest},
		{plot{"Latency over time", "Answers by second and response time; the scale of shades is logarithmic.", "", "Nothing was answered."}, heat},
	} {
		if p.SVG, err = p.draw(r); err != nil {
			return nil, err
		}
		plots = append(plots, p.plot)
	}
	return plots, nil
}

// quoted is a word of a command as a shell takes it.
func quoted(word string) string {
	safe := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./:=@,+%[]", c)
	}
	if word != "" && strings.TrimLeftFunc(word, safe) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(plain(word), "'", `'\''`) + "'"
}
