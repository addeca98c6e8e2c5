package compare_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load/compare"
	"github.com/dnsq/dnsq/internal/load/result"
)

// secondly is one run of n seconds whose level wanders: each second keeps a part of how far the last one was off.
func secondly(r *rand.Rand, n int, level, keep float64) *result.Result {
	x := server{qps: level, latency: 1 / level}.run(r, 0)
	x.Seconds = float64(n) + 0.5
	off := r.NormFloat64()
	for at := -3; at <= n; at++ {
		off = keep*off + math.Sqrt(1-keep*keep)*r.NormFloat64()
		s := result.Second{At: at, Sent: 100_000, Completed: uint64(100_000 * level * math.Exp(0.02*off)), Lost: 10}
		s.P50, s.P99 = 200/level*math.Exp(-0.02*off), 1000/level*math.Exp(-0.02*off+0.01*r.NormFloat64())
		if at < 0 || at == n {
			s.Completed, s.Lost, s.P50, s.P99 = 1, 99_999, 1e6, 1e6 // the warm-up, and a second that was cut
		}
		x.BySecond = append(x.BySecond, s)
	}
	return x
}

// One run of each is compared by its seconds, which is said and decides nothing.
func TestOneRunOfEach(t *testing.T) {
	r := random(1)
	a, b := secondly(r, 30, 1, 0.3), secondly(r, 30, 0.9, 0.3)
	b.Start = b.Start.Add(time.Minute)
	report := compared(t, []*result.Result{a}, []*result.Result{b}, compare.Options{})
	if report.Unit != "second" || report.Block != 6 || report.Verdict != compare.Undecided || report.More != 7 {
		t.Errorf("unit %s, block %d, %s", report.Unit, report.Block, report.Sentence)
	}
	var names []string
	for _, m := range report.Metrics {
		names = append(names, m.Name)
		want := compare.Worse
		if m.Name == "loss" {
			want = compare.Same
		}
		if m.Test != "blocks" || m.Verdict != compare.Undecided || m.Apparent != want || m.Samples[0].N != 30 || m.Low > m.Shift || m.High < m.Shift {
			t.Errorf("%+v", m)
		}
	}
	if want := []string{"qps", "loss", "p50", "p99"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if m := values(t, report, "qps"); math.Abs(m.Shift+10) > 2 || m.Samples[0].Min < 80_000 {
		t.Errorf("the warm-up or a cut second counts: %+v", m)
	}
	if m := values(t, report, "loss"); !near(m.Centers[1], 0.01) {
		t.Errorf("%+v", m)
	}
	for _, want := range []string{"one run of each says nothing of what differs from run to run", "qps worse", "About 7 more runs a side"} {
		if !strings.Contains(report.Sentence, want) {
			t.Errorf("%s: want %s", report.Sentence, want)
		}
	}
	again := compared(t, []*result.Result{a}, []*result.Result{b}, compare.Options{})
	other := compared(t, []*result.Result{a}, []*result.Result{b}, compare.Options{Seed: 5})
	if !reflect.DeepEqual(report, again) || reflect.DeepEqual(report, other) {
		t.Error("the same seed has to give the same report, another one another")
	}
}

// Short runs have no seconds to speak of, nor have several against one.
func TestTooFewSeconds(t *testing.T) {
	r := random(2)
	a, b := secondly(r, 9, 1, 0), secondly(r, 30, 0.9, 0)
	b.Start = b.Start.Add(time.Minute)
	report := compared(t, []*result.Result{a}, []*result.Result{b}, compare.Options{})
	if report.Unit != "run" || report.Verdict != compare.Undecided || values(t, report, "qps").Bounded || !strings.Contains(report.Warnings[0], "9 whole seconds at least: 10 are needed") {
		t.Errorf("%s, %q", report.Sentence, report.Warnings)
	}
	if m := values(t, report, "p99"); m.Bounded || !strings.Contains(report.Text(), "too few runs") {
		t.Errorf("%+v", m)
	}
	c := secondly(r, 30, 0.9, 0)
	c.Start = b.Start.Add(time.Minute)
	report = compared(t, []*result.Result{a}, []*result.Result{b, c}, compare.Options{})
	if report.Unit != "run" || report.Verdict != compare.Undecided || report.More != 7 {
		t.Errorf("%s, %d more", report.Sentence, report.More)
	}
}

// Blocks know of the correlation within a run: where each second keeps 0.7 of the last, the interval holds the difference of the levels nearly as often as it says, as
// it would not if it were of single seconds. Percentiles of so few blocks are a little narrow.
func TestBlocksCover(t *testing.T) {
	rounds := 40
	if !thorough {
		rounds = 10
	}
	r := random(3)
	covered := map[float64]int{}
	for range rounds {
		for _, keep := range []float64{0, 0.7} {
			a, b := secondly(r, 64, 1, keep), secondly(r, 64, 1, keep)
			b.Start = b.Start.Add(time.Minute)
			if m := values(t, compared(t, []*result.Result{a}, []*result.Result{b}, compare.Options{}), "qps"); m.Low <= 0 && m.High >= 0 {
				covered[keep]++
			}
		}
	}
	t.Logf("%v of %d", covered, rounds)
	if covered[0] < rounds*85/100 || covered[0.7] < rounds*75/100 {
		t.Errorf("of %d intervals, by what a second keeps: %v hold zero", rounds, covered)
	}
}
