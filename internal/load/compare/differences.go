package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

// differences lists what the runs should have in common and have not, and what else is wrong with the groups.
func differences(groups [2]group) (refusals, warnings []string) {
	for _, c := range conditions() {
		text, differ := c.differs(groups)
		switch {
		case !differ:
		case c.refuse:
			refusals = append(refusals, text)
		default:
			warnings = append(warnings, text)
		}
	}
	refusals = append(refusals, twice(groups)...)
	for i, g := range groups {
		if servers := (condition{"servers", false, servers}); g.differ(servers) {
			warnings = append(warnings, fmt.Sprintf("not all runs of %c have the same servers", "AB"[i]))
		}
		for j, r := range g.runs {
			if r.Verdict != result.Valid {
				warnings = append(warnings, fmt.Sprintf("%s counts though %s", g.names[j], whyInvalid(r)))
			}
		}
	}
	if names := interrupted(groups); len(names) > 0 {
		warnings = append(warnings, "cut short: "+list(names))
	}
	if drifts(groups) {
		warnings = append(warnings, "all runs of one side were before those of the other: what drifts with time looks like a difference; interleave them (A B B A)")
	}
	return refusals, warnings
}

func servers(r *result.Result) any { return strings.Join(r.Plan.Servers, " ") }

// differs says which run has it otherwise than A's first.
func (c *condition) differs(groups [2]group) (string, bool) {
	first := c.of(groups[0].runs[0])
	for _, g := range groups {
		for i, r := range g.runs {
			if v := c.of(r); v != first {
				return fmt.Sprintf("%s: %s has %s, %s %s", c.name, groups[0].names[0], word(first), g.names[i], word(v)), true
			}
		}
	}
	return "", false
}

func (g *group) differ(c condition) bool {
	_, differ := c.differs([2]group{*g})
	return differ
}

// word is v, or that there is none.
func word(v any) string {
	if text := fmt.Sprint(v); text != "" {
		return text
	}
	return "none"
}

// twice finds runs that were given more than once: copies add certainty that nobody has measured.
func twice(groups [2]group) (problems []string) {
	type key struct {
		start   time.Time
		servers any
	}
	seen := map[key]string{}
	for _, g := range groups {
		for i, r := range g.runs {
			k := key{r.Start.UTC().Round(0), servers(r)}
			if before, ok := seen[k]; ok && !r.Start.IsZero() {
				problems = append(problems, fmt.Sprintf("%s and %s are the same run, of %s", before, g.names[i], r.Start.Format(time.RFC3339Nano)))
			}
			seen[k] = g.names[i]
		}
	}
	return problems
}

func interrupted(groups [2]group) (names []string) {
	for _, g := range groups {
		for i, r := range g.runs {
			if slices.ContainsFunc(r.Reasons, func(why result.Reason) bool { return why.Code == result.CodeInterrupted }) {
				names = append(names, g.names[i])
			}
		}
	}
	return names
}

// drifts tells whether the sides were measured one after the other.
func drifts(groups [2]group) bool {
	var first, last [2]time.Time
	for i, g := range groups {
		for j, r := range g.runs {
			if r.Start.IsZero() {
				return false // unknown
			}
			if j == 0 || r.Start.Before(first[i]) {
				first[i] = r.Start
			}
			if r.Start.After(last[i]) {
				last[i] = r.Start
			}
		}
	}
	several := len(groups[0].runs) > 1 && len(groups[1].runs) > 1
	return several && (last[0].Before(first[1]) || last[1].Before(first[0]))
}

// list names some of many.
func list(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
