package compare

import (
	"math"

	"github.com/dnsq/dnsq/internal/bench/stat"
)

const (
	// fewRuns are to be had of each side before anything is foretold: of seven, one that was disturbed does not reach the interval at 95 %; of six it does.
	fewRuns = 8
	// mostRuns is the largest number that anybody is told to make.
	mostRuns = 200
	// wider is what a forecast multiplies the interval with, as the shift moves too: so much room that about three of four forecasts come true.
	wider = 1.2
)

// judge reads the interval; margin is in the unit of the shift.
func (m *Metric) judge(margin float64) Verdict {
	switch {
	case !m.Bounded:
		return Undecided
	case m.Low >= -margin && m.High <= margin:
		return Same
	case m.Low <= 0 && m.High >= 0, math.Abs(m.Shift) <= margin:
		return Undecided
	case m.Shift > 0 == m.Higher:
		return Better
	}
	return Worse
}

// more is how many more runs a side would probably decide; 0 where no number would.
func (m *Metric) more(margin float64, l stat.Level) int {
	n1, n2 := float64(m.Samples[0].N), float64(m.Samples[1].N)
	fewer := min(m.Samples[0].N, m.Samples[1].N)
	enough := max(leastRuns(l), fewRuns)
	if !m.Bounded {
		return max(enough, fewer+1) - fewer
	}
	room := math.Abs(m.Shift) // to zero
	if room <= margin {
		room = margin - room // to the margin
	}
	runs := 2 / (1/n1 + 1/n2) * math.Pow(wider*m.half/room, 2)
	if !(runs <= mostRuns) {
		return 0
	}
	return max(int(math.Ceil(runs)), enough, fewer+1) - fewer
}

// halfWidth is that of an interval by ranks at l, foretold from the narrower one at steadyLevel: of few runs, the one at l may reach to a run that was disturbed,
// which says nothing of intervals of more.
func halfWidth(steady stat.Shift, l stat.Level) float64 {
	half := max(steady.High-steady.Shift, steady.Shift-steady.Low)
	return half * deviations(l) / deviations(steadyLevel)
}

const steadyLevel stat.Level = 80

// deviations is how many standard deviations to either side l is of a normal distribution.
func deviations(l stat.Level) float64 { return math.Sqrt2 * math.Erfinv(float64(l)/100) }

// leastRuns is how many runs a side are needed for an interval by ranks: those of which the surest order, in both directions, is not too likely.
func leastRuns(l stat.Level) int {
	const rounding = 1e-9
	n, surest := 1, 0.5 // 1 in 2n over n
	for 2*surest > 1-float64(l)/100+rounding {
		n++
		surest *= float64(n) / float64(2*(2*n-1))
	}
	return n
}
