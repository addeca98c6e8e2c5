package compare

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dnsq/dnsq/internal/bench/stat"
	"github.com/dnsq/dnsq/internal/load/result"
)

const (
	leastSeconds = 10   // of each run, below which no interval is made
	resamples    = 2000 // of each
)

// A secondMeasure is a metric that seconds have.
type secondMeasure struct {
	name string // as among measures
	of   func(result.Second) (float64, bool)
	over func(some []result.Second) float64 // of many
}

// secondMeasures is the table of them. A percentile of many seconds is the median of theirs: it is not the run's.
func secondMeasures() []secondMeasure {
	completed := func(s result.Second) (float64, bool) { return float64(s.Completed), true }
	loss := func(s result.Second) (float64, bool) { return part(s.Lost, s.Sent) }
	p50 := func(s result.Second) (float64, bool) { return s.P50, s.Completed > 0 }
	p99 := func(s result.Second) (float64, bool) { return s.P99, s.Completed > 0 }
	return []secondMeasure{
		{"qps", completed, func(part []result.Second) float64 { return mean(valuesOf(part, completed)) }},
		{"loss", loss, lossOf},
		{"p50", p50, func(part []result.Second) float64 { return median(valuesOf(part, p50)) }},
		{"p99", p99, func(part []result.Second) float64 { return median(valuesOf(part, p99)) }},
	}
}

func valuesOf(part []result.Second, of func(result.Second) (float64, bool)) []float64 {
	values := make([]float64, 0, len(part))
	for _, s := range part {
		if v, ok := of(s); ok {
			values = append(values, v)
		}
	}
	return values
}

func mean(values []float64) (m float64) {
	for _, v := range values {
		m += v / float64(len(values))
	}
	return m
}

// median sorts values, of which there may be none.
func median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	slices.Sort(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// lossOf has every query weigh the same, not every second. Those sent in one second may be lost in the next.
func lossOf(seconds []result.Second) float64 {
	var lost, sent uint64
	for _, s := range seconds {
		lost, sent = lost+s.Lost, sent+s.Sent
	}
	p, _ := part(lost, sent)
	return p
}

// bySeconds compares two runs by their seconds.
func (r *Report) bySeconds(a, b *result.Result, o Options) {
	sides := [...][]result.Second{whole(a), whole(b)}
	fewer := min(len(sides[0]), len(sides[1]))
	if fewer < leastSeconds {
		r.warn("one run of each, of %d whole seconds at least: %d are needed to compare them by their seconds", fewer, leastSeconds)
		r.byRuns([2]group{{[]*result.Result{a}, r.Sides[0].Runs}, {[]*result.Result{b}, r.Sides[1].Runs}})
		return
	}
	r.Unit, r.Block = UnitSecond, blockLength(fewer)
	for _, s := range secondMeasures() {
		i := slices.IndexFunc(measures(), func(m measure) bool { return m.name == s.name })
		r.addSeconds(measures()[i], s, sides, rand.New(rand.NewPCG(o.Seed, uint64(i))))
	}
}

// whole are the seconds of a run without those of the warm-up and the last one, if it was cut.
func whole(r *result.Result) (seconds []result.Second) {
	for _, s := range r.BySecond {
		if s.At >= 0 && float64(s.At+1) <= r.Seconds {
			seconds = append(seconds, s)
		}
	}
	return seconds
}

// blockLength is how many consecutive seconds stay together. What is best grows as the cube root of all where they depend on each other a little (Künsch); the
// root is for seconds that keep most of what the last one was.
func blockLength(seconds int) int { return int(math.Ceil(math.Sqrt(float64(seconds)))) }

// addSeconds compares one measure by blocks of seconds.
func (r *Report) addSeconds(m measure, s secondMeasure, sides [2][]result.Second, random *rand.Rand) {
	x := Metric{Name: m.name, Unit: m.unit, Higher: m.higher, Test: TestBlocks, Points: m.points, P: 1, Bounded: true}
	var drawn [2][]float64
	for i, seconds := range sides {
		values := valuesOf(seconds, s.of)
		if len(values) == 0 {
			r.warn("%s is left out: no second of %s has it", m.name, r.Sides[i].Name)
			return
		}
		x.Samples[i], x.Centers[i] = stat.Summarize(values), s.over(seconds)
		drawn[i] = resample(seconds, r.Block, s.over, random)
	}
	shifts := make([]float64, resamples)
	for i := range shifts {
		shifts[i] = drawn[1][i] - drawn[0][i]
	}
	slices.Sort(shifts)
	tail := int((1 - float64(r.Level)/100) / 2 * resamples)
	x.Shift, x.Low, x.High = x.Centers[1]-x.Centers[0], shifts[tail], shifts[resamples-1-tail]
	if !x.Points {
		if err := x.relate(); err != nil {
			r.warn("%s is left out: %v", m.name, err)
			return
		}
	}
	r.conclude(x)
}

// resample has the values of runs made of blocks of this one, drawn with replacement. The last second is followed by the first, so that all are drawn as often.
func resample(seconds []result.Second, block int, over func([]result.Second) float64, random *rand.Rand) []float64 {
	n := len(seconds)
	values, drawn := make([]float64, resamples), make([]result.Second, 0, n+block)
	for i := range values {
		drawn = drawn[:0]
		for len(drawn) < n {
			from := random.IntN(n)
			for j := range block {
				drawn = append(drawn, seconds[(from+j)%n])
			}
		}
		values[i] = over(drawn[:n])
	}
	return values
}
