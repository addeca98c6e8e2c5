package compare

import (
	"fmt"
	"slices"

	"github.com/dnsq/dnsq/internal/bench/stat"
	"github.com/dnsq/dnsq/internal/load/result"
)

// Runs compares the runs of b with those of a. An [IncomparableError] says what they would have to have in common.
func Runs(a, b []*result.Result, o Options) (*Report, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	r := &Report{Schema: Schema, Level: o.Level, Within: o.Within, Points: o.Points, Unit: UnitRun, Warnings: []string{}}
	var groups [2]group
	for i, runs := range [...][]*result.Result{a, b} {
		name := string("AB"[i])
		groups[i], r.Sides[i] = choose(name, runs, o.Names[i], o.Invalid)
		if len(groups[i].runs) == 0 {
			return nil, fmt.Errorf("%s has no run to compare%s", name, r.Sides[i].why())
		}
	}
	refusals, warnings := differences(groups)
	switch {
	case len(refusals) > 0 && !o.Anyway:
		return nil, &IncomparableError{refusals}
	default:
		r.Warnings = append(r.Warnings, slices.Concat(refusals, warnings)...)
	}
	plan := &groups[0].runs[0].Plan
	r.Plan, r.Deciding = describe(plan), o.deciding(plan.Mode)
	if len(groups[0].runs) == 1 && len(groups[1].runs) == 1 {
		r.bySeconds(groups[0].runs[0], groups[1].runs[0], o)
	} else {
		r.byRuns(groups)
	}
	r.decide()
	return r, nil
}

// byRuns has a metric of every measure that all runs have.
func (r *Report) byRuns(groups [2]group) {
	for _, m := range measures() {
		if m.wanted != nil && !m.wanted(groups[0].runs) && !m.wanted(groups[1].runs) {
			continue
		}
		var values [2][]float64
		var without []string
		for i, g := range groups {
			for j, run := range g.runs {
				v, ok := m.of(run)
				if !ok {
					without = append(without, g.names[j])
				}
				values[i] = append(values[i], v)
			}
		}
		if len(without) > 0 {
			if len(without) < len(values[0])+len(values[1]) {
				r.warn("%s is left out: too little was measured for it in %s", m.name, list(without))
			}
			continue
		}
		r.add(m, values)
	}
}

// add compares the values of one measure.
func (r *Report) add(m measure, values [2][]float64) {
	x := Metric{Name: m.name, Unit: m.unit, Higher: m.higher, Test: m.test, Points: m.points, P: 1}
	x.Samples = [...]stat.Summary{stat.Summarize(values[0]), stat.Summarize(values[1])}
	var err error
	if m.test == TestWelch {
		err = x.welch(r.Level)
	} else {
		err = x.ranks(values, r.Level)
	}
	if err == nil && !x.Points {
		err = x.relate()
	}
	if err != nil {
		r.warn("%s is left out: %v", m.name, err)
		return
	}
	r.conclude(x)
}

// conclude judges x and takes it into the report.
func (r *Report) conclude(x Metric) {
	margin := r.Within
	if x.Points {
		margin = r.Points
	}
	x.Decides = slices.Contains(r.Deciding, x.Name)
	x.Verdict = x.judge(margin)
	if r.Unit == UnitSecond {
		x.Apparent, x.Verdict, x.More = x.Verdict, Undecided, fewRuns-1
	} else if x.Verdict == Undecided {
		x.More = x.more(margin, r.Level)
	}
	r.Metrics = append(r.Metrics, x)
}

func (r *Report) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}
