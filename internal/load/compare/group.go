package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dnsq/dnsq/internal/load/result"
)

// A group is the runs of one side that count.
type group struct {
	runs  []*result.Result
	names []string
}

// choose leaves out the invalid runs, unless they are to count.
func choose(side string, runs []*result.Result, names []string, invalid bool) (g group, s Side) {
	s = Side{Name: side, Servers: []string{}, Runs: []string{}, Excluded: []Excluded{}}
	for i, r := range runs {
		name := fmt.Sprint(side, i+1)
		if i < len(names) {
			name = names[i]
		}
		if r.Verdict != result.Valid && !invalid {
			s.Excluded = append(s.Excluded, Excluded{name, whyInvalid(r)})
			continue
		}
		g.runs, g.names = append(g.runs, r), append(g.names, name)
		for _, server := range r.Plan.Servers {
			if !slices.Contains(s.Servers, server) {
				s.Servers = append(s.Servers, server)
			}
		}
	}
	s.Runs = append(s.Runs, g.names...)
	return g, s
}

func whyInvalid(r *result.Result) string {
	var texts []string
	for _, reason := range r.Reasons {
		if reason.Code != result.CodeNote && reason.Text != "" {
			texts = append(texts, reason.Text)
		}
	}
	if len(texts) == 0 {
		return "its verdict is " + r.Verdict
	}
	return "its verdict is " + r.Verdict + ": " + strings.Join(texts, "; ")
}

// why says why nothing is left of a side.
func (s *Side) why() string {
	if len(s.Excluded) == 0 {
		return ""
	}
	return fmt.Sprintf(": %d left out, the first, %s, as %s", len(s.Excluded), s.Excluded[0].Run, s.Excluded[0].Why)
}
