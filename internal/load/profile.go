package load

import (
	"math"
	"time"
)

// A Profile is a rate over time, in queries a second. Its zero value is none. After its last part the rate that it ends with goes on.
type Profile struct {
	text  string
	parts []part
	fixed bool // it has a length
}

// part is a stretch over which the rate goes from one value to another in a straight line.
type part struct {
	from, to float64
	seconds  float64 // of the last part of a profile without a length: +Inf
	start    float64 // when it begins, in seconds
	before   float64 // the queries of all parts before it
}

// At is the profile of one rate, without end.
func At(rate float64) Profile {
	return newProfile(formatRate(rate), []part{{from: rate, to: rate, seconds: math.Inf(1)}})
}

func newProfile(text string, parts []part) Profile {
	p := Profile{text: text}
	var start, before float64
	for _, x := range parts {
		x.start, x.before = start, before
		start += x.seconds
		before += x.area(x.seconds)
		p.parts = append(p.parts, x)
	}
	p.fixed = !math.IsInf(start, 1)
	return p
}

// after is p with its first rate for so long before it.
func (p Profile) after(warm time.Duration) Profile {
	r := p.parts[0].from
	return newProfile(p.text, append([]part{{from: r, to: r, seconds: warm.Seconds()}}, p.parts...))
}

// String is the profile as given.
func (p Profile) String() string { return p.text }

// IsZero reports whether there is none.
func (p Profile) IsZero() bool { return len(p.parts) == 0 }

// Length is that of all its parts; false where the last one has none.
func (p Profile) Length() (time.Duration, bool) {
	if !p.fixed || p.IsZero() {
		return 0, false
	}
	last := p.parts[len(p.parts)-1]
	return time.Duration(math.Round((last.start + last.seconds) * 1e9)), true
}

// Rate is the rate at the time t.
func (p Profile) Rate(t time.Duration) float64 {
	s := t.Seconds()
	x := p.partAt(s)
	return x.rate(s - x.start)
}

// Queries is the number of queries before the time t: the area under the rate.
func (p Profile) Queries(t time.Duration) float64 {
	s := t.Seconds()
	x := p.partAt(s)
	return x.before + x.area(s-x.start)
}

// partAt is the part that the time s lies in. The last one has no end.
func (p Profile) partAt(s float64) part {
	for _, x := range p.parts[:len(p.parts)-1] {
		if s < x.start+x.seconds {
			return x
		}
	}
	return p.parts[len(p.parts)-1]
}

// rate is that of s seconds into the part.
func (x part) rate(s float64) float64 {
	if x.from == x.to || s >= x.seconds {
		return x.to
	}
	return x.from + (x.to-x.from)*s/x.seconds
}

// area is the number of queries in the first s seconds of the part, and behind its end at the rate that it ends with.
func (x part) area(s float64) float64 {
	if math.IsInf(s, 1) {
		return s
	}
	if x.from == x.to {
		return x.from * s
	}
	in := min(s, x.seconds)
	return (x.from+x.rate(in))/2*in + x.to*(s-in)
}
