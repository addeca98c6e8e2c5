package compare

import (
	"testing"

	"github.com/dnsq/dnsq/internal/bench/stat"
)

func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		shift, low, high float64
		want             Verdict // of a latency
	}{
		{0, -1, 1, Same},
		{3, 1, 4.9, Same}, // proven, and of no matter
		{-3, -5, -1, Same},
		{8, 6, 10, Worse},
		{8, 0.1, 20, Worse},
		{-8, -10, -6, Better},
		{8, -0.1, 16, Undecided}, // not proven
		{4, 1, 7, Undecided},     // proven, and perhaps of no matter
		{-4, -7, -1, Undecided},
		{0, -6, 6, Undecided},
		{0, -1, 6, Undecided},
	} {
		m := Metric{Shift: tt.shift, Low: tt.low, High: tt.high, Bounded: true}
		got := m.judge(5)
		m.Higher = true
		other := m.judge(5)
		opposite := map[Verdict]Verdict{Better: Worse, Worse: Better, Same: Same, Undecided: Undecided}
		if got != tt.want || other != opposite[tt.want] {
			t.Errorf("%+v: %s, of a rate %s", tt, got, other)
		}
	}
	if m := (Metric{Shift: 50}); m.judge(5) != Undecided {
		t.Errorf("without an interval: %s", m.judge(5))
	}
}

func TestMore(t *testing.T) {
	for _, tt := range []struct {
		name    string
		n1, n2  int
		shift   float64
		half    float64
		bounded bool
		want    int
	}{
		{"no interval", 3, 3, 0, 0, false, 5},
		{"no interval, many of one", 1, 30, 0, 0, false, 7},
		{"a half to be had: four times as many, and what the shift moves", 10, 10, 0, 10, true, 48}, // 10 · (1.2 · 10/5)² = 57.6
		{"to zero", 10, 10, 10, 10, true, 5},                                                        // 14.4
		{"to the margin", 10, 10, 2.5, 5, true, 48},
		{"about there", 10, 10, 8, 4, true, 1},
		{"few", 4, 4, 0, 0.1, true, 4},
		{"at the margin", 10, 10, 4.999, 8, true, 0},
		{"unequal", 5, 20, 0, 5, true, 7}, // as eight of each; 11.52
	} {
		m := Metric{Shift: tt.shift, half: tt.half, Bounded: tt.bounded, Samples: [2]stat.Summary{{N: tt.n1}, {N: tt.n2}}}
		if got := m.more(5, 95); got != tt.want {
			t.Errorf("%s: %d more, want %d", tt.name, got, tt.want)
		}
	}
}

// leastRuns says when the ranks have an interval.
func TestLeastRuns(t *testing.T) {
	for _, l := range stat.Levels() {
		least := leastRuns(l)
		for n := 1; n < 9; n++ {
			s, err := stat.Ranks(make([]float64, n), make([]float64, n), l)
			if err != nil || s.Bounded != (n >= least) {
				t.Errorf("at %v %%, %d runs a side: %+v, least %d, %v", l, n, s, least, err)
			}
		}
	}
}
