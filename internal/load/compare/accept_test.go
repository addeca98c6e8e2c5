package compare_test

import (
	"testing"

	"github.com/dnsq/dnsq/internal/load/compare"
)

const tenth = 1.1

// A server is found to be the same as itself, and a planted tenth is found in its direction, at least 95 times of 100: with ten runs a side where runs vary
// by 1 % (and their p99 by 1.4 %), with twenty where they vary by twice that.
func TestAcceptance(t *testing.T) {
	for _, tt := range []struct {
		noise float64
		runs  int
		open  bool
	}{{0.01, 10, false}, {0.005, 10, false}, {0.01, 10, true}, {0.02, 20, false}} {
		a := usual(tt.noise)
		a.open = tt.open
		a.loss = 0.0002
		self := verdicts(t, a, a, tt.runs, 100, 1)
		worse := verdicts(t, a, slower(a, tenth), tt.runs, 100, 2)
		better := verdicts(t, a, slower(a, 1/tenth), tt.runs, 100, 3)
		t.Logf("%+v: itself %v, a tenth slower %v, faster %v", tt, self, worse, better)
		if self[compare.Same] < 95 || worse[compare.Worse] < 95 || better[compare.Better] < 95 {
			t.Errorf("%+v: itself %v, a tenth slower %v, faster %v", tt, self, worse, better)
		}
		if !thorough {
			break
		}
	}
}

// Where there are too few runs for the noise, the verdict is that nothing is known: not that there is a difference, nor that there is none.
func TestTooFewRuns(t *testing.T) {
	for _, tt := range []struct {
		noise float64
		runs  int
		same  int // of itself, at least
		found int // a tenth slower, at least
	}{{0.01, 5, 45, 95}, {0.02, 5, 5, 95}, {0.015, 10, 85, 95}, {0.02, 10, 60, 95}, {0.03, 10, 10, 95}, {0.05, 10, 0, 90}, {0.05, 5, 0, 60}, {0.01, 3, 0, 0}} {
		a := usual(tt.noise)
		self, worse := verdicts(t, a, a, tt.runs, 100, 4), verdicts(t, a, slower(a, tenth), tt.runs, 100, 5)
		t.Logf("%+v: itself %v, a tenth slower %v", tt, self, worse)
		if self[compare.Same] < tt.same || worse[compare.Worse] < tt.found {
			t.Errorf("%+v: itself %v, a tenth slower %v", tt, self, worse)
		}
		const chance = 10 // two metrics decide, at 95 % each
		if self[compare.Worse]+self[compare.Better] > chance || worse[compare.Better]+worse[compare.Same] > 0 {
			t.Errorf("%+v: found what there is not: itself %v, a tenth slower %v", tt, self, worse)
		}
		if !thorough {
			break
		}
	}
}

// A shift within the margin is not called worse for being proven: with many runs it is the same.
func TestSmallShifts(t *testing.T) {
	a := usual(0.01)
	few, many := verdicts(t, a, slower(a, 1.03), 10, 100, 6), verdicts(t, a, slower(a, 1.03), 25, 40, 6)
	t.Logf("10 runs %v, 25 runs %v", few, many)
	if few[compare.Worse] > 5 || many[compare.Same] < 37 {
		t.Errorf("3 %% slower: of 10 runs %v, of 25 %v", few, many)
	}
}

// Loss decides in open plans: three in a thousand more are lost.
func TestLossDecides(t *testing.T) {
	a := usual(0.01)
	a.open, a.loss = true, 0.001
	b := a
	b.loss = 0.004
	if got := verdicts(t, a, b, 10, 100, 7); got[compare.Worse] < 95 {
		t.Errorf("more is lost: %v", got)
	}
	if got := verdicts(t, b, a, 10, 100, 8); got[compare.Better] < 90 || got[compare.Worse] > 0 {
		t.Errorf("less is lost: %v", got)
	}
}

// The forecast of an undecided comparison comes true more often than not.
func TestForecast(t *testing.T) {
	r := random(9)
	a := usual(0.02)
	undecided, decided := 0, 0
	for range 40 {
		as, bs := sides(r, a, a, 100)
		few := compared(t, as[:5], bs[:5], compare.Options{})
		n := 5 + few.More
		if few.Verdict != compare.Undecided || few.More == 0 || n > len(as) {
			continue
		}
		undecided++
		if compared(t, as[:n], bs[:n], compare.Options{}).Verdict != compare.Undecided {
			decided++
		}
	}
	t.Logf("%d of %d", decided, undecided)
	if undecided < 20 || decided < undecided*6/10 {
		t.Errorf("%d of %d that were undecided came to a verdict", decided, undecided)
	}
}
