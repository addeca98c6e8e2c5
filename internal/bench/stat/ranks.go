package stat

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// A Shift is how far one distribution lies from another of the same form.
type Shift struct {
	Level   Level   `json:"level"`
	U       float64 `json:"u"`       // pairs of one of each in which the second is larger; a tie is half of one
	P       float64 `json:"p"`       // that equal distributions come out so far apart
	Shift   float64 `json:"shift"`   // the median of the differences of all pairs, second less first
	Bounded bool    `json:"bounded"` // there are enough runs for an interval at Level
	Low     float64 `json:"low"`     // the interval; zero unless Bounded
	High    float64 `json:"high"`
}

// Proven reports whether no shift is outside the interval.
func (s Shift) Proven() bool { return s.Bounded && (s.Low > 0 || s.High < 0) }

// Ranks compares two samples by the ranks of their values (Mann and Whitney; Hodges and Lehmann).
func Ranks(first, second []float64, l Level) (Shift, error) {
	if err := l.valid(); err != nil {
		return Shift{}, err
	}
	if len(first) == 0 || len(second) == 0 {
		return Shift{}, fmt.Errorf("samples of %d and %d values: ranks need one of each", len(first), len(second))
	}
	for _, v := range slices.Concat(first, second) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Shift{}, fmt.Errorf("%v has no rank among finite values", v)
		}
	}
	x, y := slices.Sorted(slices.Values(first)), slices.Sorted(slices.Values(second))
	pairs := len(x) * len(y)
	s := Shift{Level: l, P: rankP(x, y)}
	less, notMore := countPairs(x, y, math.Nextafter(0, -1)), countPairs(x, y, 0)
	s.U = float64(pairs-notMore) + float64(notMore-less)/2
	s.Shift = (nthPair(x, y, (pairs-1)/2) + nthPair(x, y, pairs/2)) / 2
	if k := rankBound(len(x), len(y), l); k >= 0 {
		s.Bounded, s.Low, s.High = true, nthPair(x, y, k), nthPair(x, y, pairs-1-k)
	}
	return s, nil
}

// rankP is exact for small samples, with or without ties.
func rankP(x, y []float64) float64 {
	if x[0] == y[len(y)-1] && y[0] == x[len(x)-1] {
		return 1 // all are equal, which the library calls an error
	}
	t := benchmath.DefaultThresholds
	return benchmath.AssumeNothing.Compare(benchmath.NewSample(x, &t), benchmath.NewSample(y, &t)).P
}

// countPairs returns how many differences y[j]-x[i] are at most d. Both are sorted.
func countPairs(x, y []float64, d float64) (n int) {
	j := 0
	for _, v := range x {
		for j < len(y) && y[j]-v <= d {
			j++
		}
		n += j
	}
	return n
}

// nthPair returns the difference y[j]-x[i] that n others are not larger than. It looks for it by value, as there are too many pairs to sort.
func nthPair(x, y []float64, n int) float64 {
	low, high := ordinal(y[0]-x[len(x)-1]), ordinal(y[len(y)-1]-x[0])
	for low < high {
		middle := low + int64(uint64(high-low)/2)
		if countPairs(x, y, fromOrdinal(middle)) > n {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return fromOrdinal(low)
}

// ordinal numbers the floating-point values in their order.
func ordinal(v float64) int64 {
	bits := int64(math.Float64bits(v))
	if bits < 0 {
		return math.MinInt64 - bits
	}
	return bits
}

func fromOrdinal(n int64) float64 {
	if n < 0 {
		return math.Float64frombits(uint64(math.MinInt64 - n))
	}
	return math.Float64frombits(uint64(n))
}
