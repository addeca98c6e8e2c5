package stat

import (
	"math"
	"slices"
)

// A Sample is what was measured in a number of runs of one kind.
type Sample struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// A Summary is what ministat says of one sample. Student needs N, Mean and Stddev only.
type Summary struct {
	N      int     `json:"n"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	Stddev float64 `json:"stddev"` // of the sample: over N-1
}

// Summarize returns the summary of values; all is zero where there are none.
func Summarize(values []float64) Summary {
	n := len(values)
	if n == 0 {
		return Summary{}
	}
	sorted := slices.Sorted(slices.Values(values))
	s := Summary{N: n, Min: sorted[0], Max: sorted[n-1], Median: (sorted[(n-1)/2] + sorted[n/2]) / 2}
	for _, v := range sorted {
		s.Mean += v / float64(n)
	}
	if n > 1 {
		var squares float64
		for _, v := range sorted {
			squares += (v - s.Mean) * (v - s.Mean)
		}
		s.Stddev = math.Sqrt(squares / float64(n-1))
	}
	return s
}
