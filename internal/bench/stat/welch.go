package stat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// A WelchDifference is that of two means whose samples may spread differently, with its interval.
type WelchDifference struct {
	Level    Level   `json:"level"`
	Delta    float64 `json:"delta"`    // the second mean less the first
	Interval float64 `json:"interval"` // to either side of Delta
	Quantile float64 `json:"quantile"` // of t
	Degrees  float64 `json:"degrees"`  // Satterthwaite's, seldom whole
	P        float64 `json:"p"`        // that means which are equal come out so far apart
}

// Proven reports whether the difference is more than its interval.
func (d WelchDifference) Proven() bool { return math.Abs(d.Delta) > d.Interval }

// Welch compares two means by t without a common standard deviation: Welch, Biometrika 34 (1947), with the degrees of freedom of Satterthwaite, Biometrics
// Bulletin 2 (1946). The quantile is that of t itself, two-sided at Level as it is named: nobody's table has to be met here.
func Welch(first, second Summary, l Level) (WelchDifference, error) {
	if err := l.valid(); err != nil {
		return WelchDifference{}, err
	}
	if first.N < 2 || second.N < 2 {
		return WelchDifference{}, fmt.Errorf("samples of %d and %d values: Welch's t needs two of each", first.N, second.N)
	}
	e1, e2 := meanVariance(first), meanVariance(second)
	d := WelchDifference{Level: l, Delta: second.Mean - first.Mean, Degrees: satterthwaite(e1, e2, first.N, second.N)}
	d.Quantile = quantileT(1-float64(l)/100, d.Degrees)
	scale := math.Sqrt(e1 + e2)
	d.Interval = d.Quantile * scale
	switch {
	case scale > 0:
		t := d.Delta / scale
		d.P = mathext.RegIncBeta(d.Degrees/2, 0.5, d.Degrees/(d.Degrees+t*t))
	case d.Delta == 0:
		d.P = 1
	}
	return d, nil
}

// meanVariance is the square of the mean's standard error.
func meanVariance(s Summary) float64 { return s.Stddev * s.Stddev / float64(s.N) }

// satterthwaite is the degrees of freedom of the sum of two variances. It is taken by their parts of it, which do not overflow.
func satterthwaite(e1, e2 float64, n1, n2 int) float64 {
	if e1+e2 == 0 {
		return float64(n1 + n2 - 2) // nothing spreads
	}
	p1, p2 := e1/(e1+e2), e2/(e1+e2)
	return 1 / (p1*p1/float64(n1-1) + p2*p2/float64(n2-1))
}

// quantileT is the t that tails, both together, lie beyond.
func quantileT(tails, degrees float64) float64 {
	const normalFrom = 1e6 // where t and the normal distribution differ by less than the inverse below is exact
	if degrees > normalFrom {
		return mathext.NormalQuantile(1 - tails/2)
	}
	x := mathext.InvRegIncBeta(degrees/2, 0.5, tails)
	return math.Sqrt(degrees * (1/x - 1))
}
