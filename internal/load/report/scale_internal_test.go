package report

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/load/result"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{short(0), "0"}, {short(0.512), "0.51µs"}, {short(9.99), "9.99µs"}, {short(9.996), "10.0µs"}, {short(99.96), "100µs"}, {short(999.6), "1.00ms"}, {short(120e6), "120s"},
		{spaced(1500), "1.50\u202fms"}, {spaced(0), "0"},
		{big(0), "0"}, {big(99_999_999), "99999999"}, {big(1e8), "100.0M"}, {big(99_999.4e6), "99999.4M"}, {big(1e11), "100.0G"}, {big(math.MaxUint64), "18446.7P"}, {big(1e21), "1000E"},
		{few(0.25), "0.25"}, {few(9.9), "9.9"}, {few(12.4), "12"},
		{grouped(0), "0"}, {grouped(999), "999"}, {grouped(1000), "1,000"}, {grouped(math.MaxUint64), "18,446,744,073,709,551,615"},
		{counted(1, 3), "1 (33.33%)"}, {counted(0, 0), "0 (0.00%)"},
		{plain("a\x00é\u200b\xff\ufffd"), `a\000é\226\128\139\255` + "\ufffd"},
		{quoted("a-b"), "a-b"}, {quoted(""), "''"}, {quoted("it's a"), `'it'\''s a'`}, {quoted("$(x)"), "'$(x)'"},
		{tick(1), "1 µs"}, {tick(500e3), "500 ms"}, {tick(2e6), "2 s"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestScale(t *testing.T) {
	s := scale{1, 1000, 0, 300}
	for v, want := range map[float64]float64{1: 0, 10: 100, 1000: 300, 0: 0, 1e6: 300} {
		if got := s.at(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v is at %v, want %v", v, got, want)
		}
	}
	if diff := cmp.Diff([]float64{1, 10, 100, 1000}, s.ticks()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{50, 100, 200}, scale{50, 200, 0, 1}.ticks()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAround(t *testing.T) {
	for _, tt := range [][4]float64{{79, 81, 50, 100}, {1, 1, 1, 2}, {0, 0, 1, 2}, {20, 199, 20, 200}, {10, 100, 10, 200}, {99, 999, 50, 1000}} {
		if below, above := around(tt[0], tt[1]); below != tt[2] || above != tt[3] {
			t.Errorf("%v to %v: %v to %v, want %v to %v", tt[0], tt[1], below, above, tt[2], tt[3])
		}
	}
}

func TestAbove(t *testing.T) {
	for most, want := range map[float64][2]float64{1000: {1200, 6}, 997: {1000, 5}, 50: {60, 6}, 0.25: {0.3, 6}, 7: {8, 4}, 1: {1.2, 6}} {
		top, steps := above([]series{{Values: []float64{0, most}}, {Values: []float64{most / 2}}})
		if math.Abs(top-want[0]) > 1e-9 || float64(steps) != want[1] {
			t.Errorf("%v: to %v in %d steps, want %v in %v", most, top, steps, want[0], want[1])
		}
	}
}

func TestColumns(t *testing.T) {
	var seconds []result.Second
	for at := -5; at < 3595; at++ {
		seconds = append(seconds, result.Second{At: at, Target: 2, Sent: 4, Completed: 3, Lost: 1, Unsent: 5, Heat: []uint64{7: 3}})
	}
	c := columns(seconds, 180)
	if len(c) != 180 || c[1].At != 20 || c[179].Seconds != 15 {
		t.Fatalf("%d columns, the second at %d, the last of %d s; want 180, 20, 15", len(c), c[1].At, c[179].Seconds)
	}
	for _, i := range []int{0, 100, 179} { // the last is of fewer seconds and as high
		want := column{At: 20 * i, Seconds: c[i].Seconds, Heat: make([]uint64, result.HeatBuckets)}
		want.Heat[7] = 3 * uint64(c[i].Seconds)
		got := c[i]
		for _, v := range [][2]float64{{got.Target, 2}, {got.Sent, 4}, {got.Completed, 3}, {got.Lost, 1}, {got.Unsent, 5}} {
			if math.Abs(v[0]-v[1]) > 1e-9 {
				t.Errorf("column %d: %+v", i, got)
			}
		}
		got.Target, got.Sent, got.Completed, got.Lost, got.Unsent = 0, 0, 0, 0, 0
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("column %d (-want +got):\n%s", i, diff)
		}
	}
	var names []string
	for _, name := range times(c, 10) {
		if name != "" {
			names = append(names, name)
		}
	}
	if diff := cmp.Diff([]string{"0", "500", "1000", "1500", "2000", "2500", "3000", "3500"}, names); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if c := columns(seconds[:5], 10); c != nil {
		t.Errorf("of the warm-up alone: %v", c)
	}
}

// All answers are in the map, and more are never lighter.
func TestHeatLevels(t *testing.T) {
	c := []column{{Seconds: 1, Heat: make([]uint64, result.HeatBuckets)}}
	for i, n := range []uint64{1, 10, 100, 1000, 100_000} {
		c[0].Heat[20+i] = n
	}
	m, ok := heatOf(c)
	if !ok || m.high-m.low < 9 || m.low > 20 || m.high < 24 {
		t.Fatalf("%d to %d", m.low, m.high)
	}
	last := 0
	for b := 20; b < 25; b++ {
		if got := m.level(0, b); got <= last {
			t.Errorf("bucket %d: level %d after %d", b, got, last)
		}
		last = m.level(0, b)
	}
	if last != levels || m.level(0, 30) != 0 {
		t.Errorf("the most: %d, nothing: %d; want %d, 0", last, m.level(0, 30), levels)
	}
	if _, ok := heatOf([]column{{Seconds: 1, Heat: make([]uint64, result.HeatBuckets)}}); ok {
		t.Error("a map of nothing")
	}
}

// A curve has its percentiles where they belong.
func TestCurve(t *testing.T) {
	h := result.NewHistogram()
	result.Record(h, 100e3, 990)
	result.Record(h, 50e6, 9)
	result.Record(h, 2e9, 1)
	c := curveOf("", "", h)
	for i, x := range c.slowest {
		want := 100.0
		if x > 101 {
			want = 50e3
		}
		if i == points {
			want = 2e6
		}
		if x > 98 && x < 103 { // a rank is a whole number
			continue
		}
		if c.us[i] < 0.99*want || c.us[i] > 1.01*want {
			t.Errorf("one in %v: %v µs, want %v", x, c.us[i], want)
		}
	}
	if got := c.slowest[points]; math.Abs(got-1000) > 1e-6 {
		t.Errorf("to one in %v, want 1000", got)
	}
}
