package stat

import (
	"fmt"
	"math"
)

// A Difference is that of two means, with its interval.
type Difference struct {
	Level           Level   `json:"level"`
	Delta           float64 `json:"delta"`    // the second mean less the first
	Interval        float64 `json:"interval"` // to either side of Delta
	Percent         float64 `json:"percent"`  // of the first mean
	PercentInterval float64 `json:"percent_interval"`
	Pooled          float64 `json:"pooled_s"`
	T               float64 `json:"t"` // the quantile used
	Degrees         int     `json:"degrees"`
	P               float64 `json:"p"` // that means which are equal come out so far apart
}

// Proven reports whether the difference is more than its interval: what ministat prints as a difference.
func (d Difference) Proven() bool { return math.Abs(d.Delta) > d.Interval }

// Student compares the means of two samples as ministat does: by Student's t with a pooled standard deviation.
func Student(first, second Summary, l Level) (Difference, error) {
	if err := l.valid(); err != nil {
		return Difference{}, err
	}
	if first.N < 1 || second.N < 1 || first.N+second.N < 3 {
		return Difference{}, fmt.Errorf("samples of %d and %d values: Student's t needs three in all", first.N, second.N)
	}
	n1, n2 := float64(first.N), float64(second.N)
	d := Difference{Level: l, Delta: second.Mean - first.Mean, Degrees: first.N + second.N - 2}
	squares := (n1-1)*first.Stddev*first.Stddev + (n2-1)*second.Stddev*second.Stddev
	d.Pooled = math.Sqrt(squares / float64(d.Degrees))
	d.T = l.t(d.Degrees)
	scale := d.Pooled * math.Sqrt(1/n1+1/n2)
	d.Interval = d.T * scale
	if first.Mean != 0 {
		d.Percent, d.PercentInterval = 100*d.Delta/first.Mean, 100*d.Interval/math.Abs(first.Mean)
	}
	switch {
	case scale > 0:
		d.P = twoTails(d.Delta/scale, d.Degrees)
	case d.Delta == 0:
		d.P = 1
	}
	return d, nil
}
