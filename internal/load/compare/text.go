package compare

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"
)

// Text is the report as a person reads it: who was compared, the table, what to know, and the verdict on a line of its own at the end.
func (r *Report) Text() string {
	var b strings.Builder
	for _, s := range r.Sides {
		fmt.Fprintf(&b, "%s  %s: %s\n", s.Name, runs(len(s.Runs)), printable(list(s.Servers)))
		for _, x := range s.Excluded {
			fmt.Fprintf(&b, "   left out: %s, %s\n", printable(x.Run), printable(x.Why))
		}
	}
	fmt.Fprintf(&b, "%s\n\n", printable(r.Plan))
	r.table(&b)
	if r.Unit == UnitSecond {
		b.WriteString("\nThe intervals are of the seconds of one run of each (percentiles: of the median second), in blocks: they are narrower than those of runs would be.\n")
	}
	if len(r.Warnings) > 0 {
		b.WriteByte('\n')
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", printable(w))
	}
	fmt.Fprintf(&b, "\n%s\n", r.Sentence)
	return b.String()
}

// printable keeps what files say from moving the cursor of a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

func runs(n int) string {
	if n == 1 {
		return "1 run"
	}
	return fmt.Sprintf("%d runs", n)
}

// table has a line for each metric; a star marks those that decide. Text is on the left, so its padding is not tabwriter's, which has one side for all.
func (r *Report) table(b *strings.Builder) {
	const padding = "  "
	var lines strings.Builder
	w := tabwriter.NewWriter(&lines, 0, 8, len(padding), ' ', tabwriter.AlignRight)
	width := 0
	for _, m := range r.Metrics {
		width = max(width, utf8.RuneCountInString(m.label()))
	}
	fmt.Fprintf(w, "%-*s\tA\tB\tshift\t%s %% interval\tverdict\t\n", width, "", r.Level)
	for _, m := range r.Metrics {
		fmt.Fprintf(w, "%-*s\t%s\t%s\t%s\t%s\t%s\t\n", width, m.label(), figure(m.Centers[0]), figure(m.Centers[1]), m.shift(), m.interval(), m.verdict())
	}
	_ = w.Flush() // to memory
	for line := range strings.Lines(lines.String()) {
		b.WriteString(strings.TrimPrefix(line, padding))
	}
}

func (m *Metric) label() string {
	star := "  "
	if m.Decides {
		star = "* "
	}
	return star + m.Name + ", " + m.Unit
}

// shift is the shift with its unit.
func (m *Metric) shift() string {
	if m.Points {
		return signed(m.Shift, 3) + " points"
	}
	return signed(m.Shift, 1) + " %"
}

func (m *Metric) interval() string {
	decimals := 1
	if m.Points {
		decimals = 3
	}
	if !m.Bounded {
		return "too few runs"
	}
	return signed(m.Low, decimals) + " to " + signed(m.High, decimals)
}

// verdict is the word, with what it rests on where that is not runs.
func (m *Metric) verdict() string {
	if m.Apparent != "" {
		return fmt.Sprintf("%s (these two: %s)", m.Verdict, m.Apparent)
	}
	return string(m.Verdict)
}

// signed rounds, and has no zero with a minus.
func signed(x float64, decimals int) string {
	scale := math.Pow10(decimals)
	return fmt.Sprintf("%+.*f", decimals, math.Round(x*scale)/scale+0)
}

// figure has about four digits.
func figure(x float64) string {
	decimals := 0
	for v := math.Abs(x); v < 1000 && decimals < 3; v *= 10 {
		decimals++
	}
	return fmt.Sprintf("%.*f", decimals, x)
}
