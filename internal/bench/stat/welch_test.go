package stat_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/bench/stat"
)

// What R's t.test prints for two of the data sets that come with it (sleep: extra by group; mtcars: mpg by am), and the three pairs that Wikipedia has
// under Welch's t-test: of equal variances and sizes; of unequal ones with the smaller sample spreading more, and less.
func TestWelchAgreesWithPublished(t *testing.T) {
	for _, tt := range []struct{ first, second, want string }{
		{
			"0.7 -1.6 -0.2 -1.2 -0.1 3.4 3.7 0.8 0.0 2.0", "1.9 0.8 1.1 0.1 -0.1 4.4 5.5 1.6 4.6 3.4",
			"df = 17.776, p = 0.07939, -0.2054832 to 3.3654832",
		}, {
			"21.4 18.7 18.1 14.3 24.4 22.8 19.2 17.8 16.4 17.3 15.2 10.4 10.4 14.7 21.5 15.5 15.2 13.3 19.2",
			"21.0 21.0 22.8 32.4 30.4 33.9 27.3 26.0 30.4 15.8 19.7 15.0 21.4",
			"df = 18.332, p = 0.001374, 3.2096842 to 11.2801944",
		},
	} {
		d := welchOf(t, tt.first, tt.second)
		got := fmt.Sprintf("df = %.5g, p = %.4g, %.7f to %.7f", d.Degrees, d.P, d.Delta-d.Interval, d.Delta+d.Interval)
		if got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
	for _, tt := range []struct{ first, second, want string }{
		{
			"27.5 21.0 19.0 23.6 17.0 17.9 16.9 20.1 21.9 22.6 23.1 19.6 19.0 21.7 21.4",
			"27.1 22.0 20.8 23.4 23.4 23.5 25.8 22.0 24.8 20.2 21.9 22.1 22.9 20.5 24.4", "df = 25.0, p = 0.021",
		}, {
			"17.2 20.9 22.6 18.1 21.7 21.4 23.5 24.2 14.7 21.8",
			"21.5 22.8 21.0 23.0 21.6 23.6 22.5 20.7 23.4 21.8 20.7 21.7 21.5 22.5 23.6 21.5 22.5 23.5 21.5 21.8", "df = 9.9, p = 0.149",
		}, {
			"19.8 20.4 19.6 17.8 18.5 18.9 18.3 18.9 19.5 22.0",
			"28.2 26.6 20.1 23.3 25.2 22.1 17.7 27.6 20.6 13.7 23.2 17.5 20.6 18.0 23.9 21.6 24.3 20.4 24.0 13.2", "df = 24.5, p = 0.036",
		},
	} {
		d := welchOf(t, tt.first, tt.second)
		if got := fmt.Sprintf("df = %.1f, p = %.3f", d.Degrees, d.P); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func welchOf(t *testing.T, first, second string) stat.WelchDifference {
	t.Helper()
	d, err := stat.Welch(summaryOf(t, first), summaryOf(t, second), 95)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func summaryOf(t *testing.T, text string) stat.Summary {
	t.Helper()
	var values []float64
	for _, word := range strings.Fields(text) {
		var v float64
		if _, err := fmt.Sscan(word, &v); err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	return stat.Summarize(values)
}

// Where the samples are of one size and spread it is Student's test, whose quantile ministat rounds; the smaller of two samples bounds the degrees of freedom where it spreads most.
func TestWelchAndStudent(t *testing.T) {
	a, b := stat.Summary{N: 8, Mean: 10, Stddev: 2}, stat.Summary{N: 8, Mean: 13, Stddev: 2}
	w, err := stat.Welch(a, b, 98)
	if err != nil {
		t.Fatal(err)
	}
	s, err := stat.Student(a, b, 98)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(w.Degrees-14) > 1e-9 || math.Abs(w.P-s.P) > 1e-12 || math.Abs(w.Interval-s.Interval) > 1e-3 || w.Delta != 3 {
		t.Errorf("Welch %+v, Student %+v", w, s)
	}
	b.N, a.Stddev = 800, 200
	if w, _ = stat.Welch(a, b, 98); math.Abs(w.Degrees-7) > 0.01 {
		t.Errorf("%v degrees of freedom where the sample of 8 has all of the variance", w.Degrees)
	}
}

// The quantile agrees with tables of t and, for very many degrees of freedom, of the normal distribution. Level 99.5 is what it says here.
func TestWelchQuantiles(t *testing.T) {
	for _, tt := range []struct {
		n     int // of each, which makes 2n-2 degrees of freedom
		level stat.Level
		want  float64
	}{{2, 95, 4.3027}, {6, 80, 1.3722}, {6, 95, 2.2281}, {6, 99, 3.1693}, {16, 98, 2.4573}, {16, 99.5, 3.0298}, {5001, 95, 1.9602}, {600_001, 99.5, 2.8070}} {
		s := stat.Summary{N: tt.n, Stddev: 1}
		if d, err := stat.Welch(s, s, tt.level); err != nil || math.Abs(d.Quantile-tt.want) > 6e-5 {
			t.Errorf("two of %d at %v %%: %v, want %v, %v", tt.n, tt.level, d.Quantile, tt.want, err)
		}
	}
}

// The interval holds the difference as often as it says, where a small sample spreads four times as much: the pooled one does not.
func TestWelchCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const rounds = 2000
	welch, student := 0, 0
	for range rounds {
		var x, y []float64
		for range 5 {
			x = append(x, 4*r.NormFloat64())
		}
		for range 15 {
			y = append(y, 1+r.NormFloat64())
		}
		a, b := stat.Summarize(x), stat.Summarize(y)
		w, err := stat.Welch(a, b, 90)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(w.Delta-1) <= w.Interval {
			welch++
		}
		if s, err := stat.Student(a, b, 90); err != nil {
			t.Fatal(err)
		} else if math.Abs(s.Delta-1) <= s.Interval {
			student++
		}
	}
	if welch < rounds*88/100 || welch > rounds*92/100 || student > rounds*80/100 {
		t.Errorf("of %d intervals at 90 %% Welch's hold the difference in %d, Student's in %d", rounds, welch, student)
	}
}

func TestWelchOfConstants(t *testing.T) {
	for delta, want := range map[float64]float64{0: 1, 1: 0} {
		d, err := stat.Welch(stat.Summary{N: 3}, stat.Summary{N: 2, Mean: delta}, 95)
		if err != nil || d.P != want || d.Interval != 0 || d.Degrees != 3 || d.Proven() != (delta != 0) {
			t.Errorf("no spread, means %v apart: %+v, %v", delta, d, err)
		}
	}
	if _, err := stat.Welch(stat.Summary{N: 1}, stat.Summary{N: 9}, 95); err == nil || !strings.Contains(err.Error(), "1 and 9 values: Welch's t needs two of each") {
		t.Errorf("one value: %v", err)
	}
	if _, err := stat.Welch(stat.Summary{N: 2}, stat.Summary{N: 9}, 94); err == nil || !strings.Contains(err.Error(), "94 %") {
		t.Errorf("at 94 %%: %v", err)
	}
}
