package stat

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mathext"
)

// A Level is a confidence in percent: one of Levels.
type Level float64

// DefaultLevel is the one that the documents were measured at.
const DefaultLevel Level = 99.5

// Levels are those that ministat knows.
func Levels() []Level { return []Level{80, 90, 95, 98, 99, 99.5} }

// String is the level without a sign of percent.
func (l Level) String() string { return strconv.FormatFloat(float64(l), 'f', -1, 64) }

// valid names what there is where l is not.
func (l Level) valid() error {
	var names []string
	for _, known := range Levels() {
		if l == known {
			return nil
		}
		names = append(names, known.String())
	}
	return fmt.Errorf("confidence %v %%: there are %s", l, strings.Join(names, ", "))
}

const (
	mostDegrees   = 100  // rows of ministat's table; beyond is the normal distribution
	tableDecimals = 1000 // it has three
)

// tail is the part of t's distribution that lies above the quantile in ministat's column.
func (l Level) tail() float64 {
	if l == 99.5 {
		return 0.001 // see the package documentation
	}
	return (100 - float64(l)) / 200
}

// t is the entry of ministat's table for so many degrees of freedom.
func (l Level) t(degrees int) float64 {
	if degrees > mostDegrees {
		return roundTable(mathext.NormalQuantile(1 - l.tail()))
	}
	// The tails beyond ±t hold the part I_x(ν/2, 1/2) with x = ν/(ν+t²).
	v := float64(degrees)
	x := mathext.InvRegIncBeta(v/2, 0.5, 2*l.tail())
	return roundTable(math.Sqrt(v * (1/x - 1)))
}

func roundTable(t float64) float64 { return math.Round(t*tableDecimals) / tableDecimals }

// twoTails is the part of t's distribution beyond ±t.
func twoTails(t float64, degrees int) float64 {
	v := float64(degrees)
	return mathext.RegIncBeta(v/2, 0.5, v/(v+t*t))
}

// normal is the quantile of the normal distribution that l, two-sided, needs.
func (l Level) normal() float64 { return mathext.NormalQuantile(0.5 + float64(l)/200) }
