package stat_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/bench/stat"
)

// The comparison that was published in June 2018: user time with recvfrom and with recvmmsg. Its samples are not, and neither are their standard deviations: two
// that are equal and print as its pooled s do.
func TestStudentAgreesWithDocument(t *testing.T) {
	const s = 0.1023229
	with, without := stat.Summary{N: 5048, Mean: 0.5581, Stddev: s}, stat.Summary{N: 5141, Mean: 0.5581 - 0.016542, Stddev: s}
	d, err := stat.Student(with, without, 99.5)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%g ± %g, %.2f %% ± %.2f, s = %g, t = %g, %d", round(d.Delta, 6), round(d.Interval, 8), d.Percent, d.PercentInterval, round(d.Pooled, 6), d.T, d.Degrees)
	if want := "-0.016542 ± 0.00626489, -2.96 % ± 1.12, s = 0.102323, t = 3.09, 10187"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !d.Proven() || d.P > 1e-14 || d.P <= 0 {
		t.Errorf("proven %t, p = %g", d.Proven(), d.P)
	}
	// Different standard deviations with that pooled s give the same.
	with.Stddev = 0.09
	without.Stddev = math.Sqrt((10187*s*s - 5047*0.09*0.09) / 5140)
	if e, _ := stat.Student(with, without, 99.5); round(e.Interval, 8) != 0.00626489 {
		t.Errorf("± %g with standard deviations of %g and %g", e.Interval, with.Stddev, without.Stddev)
	}
}

func round(x float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(x*scale) / scale
}

// Entries of the table that ministat is built with.
func TestQuantiles(t *testing.T) {
	for degrees, want := range map[int]string{
		1:   "3.078 6.314 12.706 31.821 63.657 318.309", // printed as 318.313 there
		2:   "1.886 2.92 4.303 6.965 9.925 22.327",
		10:  "1.372 1.812 2.228 2.764 3.169 4.144",
		100: "1.29 1.66 1.984 2.364 2.626 3.174",
		101: "1.282 1.645 1.96 2.326 2.576 3.09", // of the normal distribution
	} {
		var got []string
		for _, l := range stat.Levels() {
			d, err := stat.Student(stat.Summary{N: 1}, stat.Summary{N: degrees + 1}, l)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(d.T))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%d degrees of freedom: %s, want %s", degrees, got, want)
		}
	}
}

// The probability agrees with tables of t.
func TestStudentP(t *testing.T) {
	for _, tt := range []struct {
		n    int
		t, p float64
	}{{6, 2.228, 0.05}, {6, 3.169, 0.01}, {2, 9.925, 0.01}, {16, 2.750, 0.01}} {
		one := stat.Summary{N: tt.n, Stddev: 1}
		two := one
		two.Mean = tt.t * math.Sqrt(2/float64(tt.n))
		if d, err := stat.Student(one, two, 95); err != nil || math.Abs(d.P-tt.p) > 0.0005 {
			t.Errorf("two of %d, t = %v: p = %v, want %v, %v", tt.n, tt.t, d.P, tt.p, err)
		}
	}
	for delta, want := range map[float64]float64{0: 1, 1: 0} {
		if d, err := stat.Student(stat.Summary{N: 3}, stat.Summary{N: 3, Mean: delta}, 95); err != nil || d.P != want || d.Proven() != (delta != 0) {
			t.Errorf("no spread, means %v apart: %+v, %v", delta, d, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		x, y  []float64
		level stat.Level
		want  string
	}{
		{[]float64{1, 2}, []float64{1, 2}, 97, "confidence 97 %: there are 80, 90, 95, 98, 99, 99.5"},
		{[]float64{1}, []float64{2}, 95, "needs three"},
		{nil, []float64{1, 2, 3}, 95, "0 and 3 values"},
		{[]float64{1, math.NaN()}, []float64{1, 2}, 95, "NaN"},
		{[]float64{1, 2}, []float64{1, math.Inf(1)}, 95, "+Inf"},
	} {
		_, err := stat.Compare(stat.Sample{Values: tt.x}, stat.Sample{Values: tt.y}, tt.level)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, %v at %v: error %v, want %q", tt.x, tt.y, tt.level, err, tt.want)
		}
	}
	if _, err := stat.Ranks(nil, []float64{1}, 95); err == nil {
		t.Error("ranks of an empty sample")
	}
	if _, err := stat.Ranks([]float64{1}, []float64{1}, 1); err == nil {
		t.Error("ranks at 1 %")
	}
}
