package stat_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dnsq/dnsq/internal/bench/stat"
)

// The permeability of a membrane at term and at 12 to 26 weeks: Hollander and Wolfe, Nonparametric Statistical Methods, examples 4.1, 4.3 and 4.4. They have U = 15,
// P = 0.1272 one-sided and a shift of the first from the second of 0.305, at 96 % from -0.15 to 0.76.
func TestRanksAgreeWithTextbook(t *testing.T) {
	term := []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	early := []float64{1.15, 0.88, 0.90, 0.74, 1.21}
	s, err := stat.Ranks(term, early, 95)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("U = %g, p = %.4f, %.3f, %t: %.2f to %.2f", s.U, s.P, s.Shift, s.Bounded, s.Low, s.High)
	if want := "U = 15, p = 0.2544, -0.305, true: -0.76 to 0.15"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if s.Proven() {
		t.Error("an interval that holds zero proves nothing")
	}
}

// The shift and its interval are order statistics of all differences, which can be sorted where they are few.
func TestRanksAgreeWithAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		x, y := draw(r, 1+r.IntN(30)), draw(r, 1+r.IntN(30))
		var all []float64
		larger := 0.0
		for _, b := range y {
			for _, a := range x {
				all = append(all, b-a)
				switch {
				case b > a:
					larger++
				case b == a:
					larger += 0.5
				}
			}
		}
		slices.Sort(all)
		s, err := stat.Ranks(x, y, 90)
		if err != nil {
			t.Fatal(err)
		}
		if want := (all[(len(all)-1)/2] + all[len(all)/2]) / 2; s.Shift != want || s.U != larger {
			t.Fatalf("%v, %v: shift %v, U %v; want %v, %v", x, y, s.Shift, s.U, want, larger)
		}
		if at := slices.Index(all, s.Low); s.Bounded && (at < 0 || slices.Index(all, s.High) < 0 || s.Low > s.Shift || s.High < s.Shift) {
			t.Fatalf("%v, %v: interval %v to %v", x, y, s.Low, s.High)
		}
	}
}

// draw returns values with ties and with either sign.
func draw(r *rand.Rand, n int) (values []float64) {
	for range n {
		values = append(values, math.Round(r.NormFloat64()*10)/8)
	}
	return values
}

// An interval covers the true shift as often as it says, and not much oftener, where samples are counted out and where they are many.
func TestRanksCover(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{12, 70} {
		const rounds, shift = 1000, 2.5
		covered := 0
		for range rounds {
			var x, y []float64
			for range n {
				x, y = append(x, r.ExpFloat64()), append(y, r.ExpFloat64()+shift)
			}
			if s, err := stat.Ranks(x, y, 90); err != nil || !s.Bounded {
				t.Fatal(s, err)
			} else if s.Low <= shift && shift <= s.High {
				covered++
			}
		}
		if covered < 870 || covered > 940 {
			t.Errorf("samples of %d: %d of %d intervals at 90 %% hold the shift", n, covered, rounds)
		}
	}
}

// Below a number of runs there is no interval: with five of each, the surest order there is has 1 chance in 252; with six, two orders at either end
// have 2 in 924 together.
func TestRanksOfFew(t *testing.T) {
	for n, want := range map[int]string{2: "false 0 0", 5: "false 0 0", 6: "true 11 19"} {
		var x, y []float64
		for i := range n {
			x, y = append(x, float64(i)), append(y, float64(i)+15)
		}
		s, err := stat.Ranks(x, y, 99.5)
		if got := fmt.Sprint(s.Bounded, s.Low, s.High); err != nil || got != want {
			t.Errorf("%d of each: %s, want %s, %v", n, got, want, err)
		}
	}
	same := []float64{7, 7, 7}
	if s, err := stat.Ranks(same, same, 95); err != nil || s.P != 1 || s.Shift != 0 {
		t.Errorf("all equal: %+v, %v", s, err)
	}
}

// Thousands of runs are no trouble: as many as the document has.
func TestRanksOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var x, y []float64
	for range 5048 {
		x = append(x, 0.5581+0.102323*r.NormFloat64())
	}
	for range 5141 {
		y = append(y, 0.5415+0.102323*r.NormFloat64())
	}
	s, err := stat.Ranks(x, y, 99.5)
	if err != nil || !s.Proven() || s.P > 1e-6 || math.Abs(s.Shift+0.016) > 0.006 || s.High-s.Low < 0.01 || s.High-s.Low > 0.013 {
		t.Errorf("%+v, %v", s, err)
	}
}
