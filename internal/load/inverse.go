package load

import "math"

// A cursor finds when a profile has come to a number of queries. It is asked for numbers that do not fall, so it never goes back.
type cursor struct {
	parts []part
	i     int
}

// at is the first time, in seconds, at which n queries were before; false where there never are so many. It is reckoned from the whole
// profile each time and never added up, so that nothing drifts.
func (c *cursor) at(n float64) (seconds float64, ok bool) {
	for ; c.i < len(c.parts)-1; c.i++ {
		x := &c.parts[c.i]
		if n < x.before+x.area(x.seconds) {
			return x.start + x.when(n-x.before), true
		}
	}
	x := &c.parts[c.i]
	if math.IsInf(x.seconds, 1) || n-x.before < x.area(x.seconds) {
		return x.start + x.when(n-x.before), x.from > 0 || x.to > 0
	}
	if x.to == 0 {
		return 0, false
	}
	return x.start + x.seconds + (n-x.before-x.area(x.seconds))/x.to, true
}

// when is how many seconds into the part n of its queries were before: the root of its area, in the form that loses no digits for a small slope.
func (x *part) when(n float64) float64 {
	switch {
	case n <= 0:
		return 0
	case x.from == x.to:
		return n / x.from
	}
	slope := (x.to - x.from) / x.seconds
	return 2 * n / (x.from + math.Sqrt(max(0, x.from*x.from+2*slope*n)))
}
