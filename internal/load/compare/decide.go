package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dnsq/dnsq/internal/load/result"
)

// decide comes from the metrics that decide to the verdict on the whole.
func (r *Report) decide() {
	count := map[Verdict]int{}
	for _, name := range r.Deciding {
		m := r.Metric(name)
		if m == nil {
			count[Undecided]++
			continue
		}
		count[m.Verdict]++
		if m.Verdict == Undecided {
			r.More = max(r.More, m.More)
		}
	}
	r.Verdict = Same
	for _, v := range []Verdict{Worse, Undecided, Better} {
		if count[v] > 0 {
			r.Verdict = v
			break
		}
	}
	if r.Verdict != Undecided {
		r.More = 0
	}
	r.Sentence = r.sentence()
}

// Metric is the metric of that name, nil if there is none.
func (r *Report) Metric(name string) *Metric {
	i := slices.IndexFunc(r.Metrics, func(m Metric) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return &r.Metrics[i]
}

// sentence is the verdict in words.
func (r *Report) sentence() string {
	var clauses []string
	for _, name := range r.Deciding {
		clauses = append(clauses, r.clause(name))
	}
	found := strings.Join(clauses, ", ")
	switch {
	case r.Verdict == Worse, r.Verdict == Better:
		return fmt.Sprintf("B is %s than A: %s.", r.Verdict, found)
	case r.Verdict == Same:
		return fmt.Sprintf("B is the same as A within %s: %s.", r.margins(), found)
	case r.Unit == UnitSecond:
		return fmt.Sprintf("Undecided: one run of each says nothing of what differs from run to run. By their seconds, these two: %s. %s", found, r.forecast())
	}
	return fmt.Sprintf("Undecided: %s. %s", found, r.forecast())
}

// margins are those that the deciding metrics have.
func (r *Report) margins() string {
	var percent, points bool
	for _, name := range r.Deciding {
		if m := r.Metric(name); m != nil {
			percent, points = percent || !m.Points, points || m.Points
		}
	}
	switch {
	case percent && points:
		return fmt.Sprintf("%g %% (%g points)", r.Within, r.Points)
	case points:
		return fmt.Sprintf("%g points", r.Points)
	}
	return fmt.Sprintf("%g %%", r.Within)
}

// clause is what was found of one metric.
func (r *Report) clause(name string) string {
	m := r.Metric(name)
	if m == nil {
		return name + " cannot be compared"
	}
	verdict := m.Verdict
	if m.Apparent != "" {
		verdict = m.Apparent
	}
	return fmt.Sprintf("%s %s (%s, %s)", m.Name, verdict, m.shift(), m.interval())
}

// forecast says what would help.
func (r *Report) forecast() string {
	switch {
	case r.More > 1:
		return fmt.Sprintf("About %d more runs a side would probably decide.", r.More)
	case r.More == 1:
		return "One more run a side would probably decide."
	}
	return "More runs would hardly decide: what is shifted lies about at the margin, or cannot be compared."
}

// describe is a plan in words.
func describe(p *result.Plan) string {
	words := []string{p.Mode, p.Transport}
	if text := rate(p); text != "" {
		words = append(words, strings.TrimSpace(text+" "+p.Arrival))
	}
	words = append(words, fmt.Sprintf("%d outstanding", p.Outstanding), "queries: "+p.Queries, seconds(p.Seconds))
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", ")
}
