package load

import (
	"math"
	"slices"
	"testing"
	"time"
)

// instantsOf are those of shard i of n that are before the end.
func instantsOf(p Profile, law Arrival, seed uint64, warm, end time.Duration, i, n int) (list []instant) {
	s := newSchedule(p, law, seed, Time(warm), i, n)
	for {
		x, ok := s.next()
		if !ok || x.at >= Time(end) {
			return list
		}
		list = append(list, x)
	}
}

func TestScheduleExact(t *testing.T) {
	ms := Time(time.Millisecond)
	for _, tt := range []struct {
		rate string
		end  time.Duration
		want []Time
	}{
		{"1", 3 * time.Second, []Time{0, 1000 * ms, 2000 * ms}},
		{"3", time.Second, []Time{0, 333333333, 666666667}},
		{"0.5", 4 * time.Second, []Time{0, 2000 * ms}},
		{"2/1s, 4", 2 * time.Second, []Time{0, 500 * ms, 1000 * ms, 1250 * ms, 1500 * ms, 1750 * ms}},
		{"0/1s, 2", 2 * time.Second, []Time{1000 * ms, 1500 * ms}},
		{"2/1s, 0/1s, 2/1s", 4 * time.Second, []Time{0, 500 * ms, 2000 * ms, 2500 * ms, 3000 * ms, 3500 * ms}},
		{"4/1s, 0/1s", 9 * time.Second, []Time{0, 250 * ms, 500 * ms, 750 * ms}},
		{"ramp 0..2/2s", 2 * time.Second, []Time{0, 1414213562}}, // half t squared
		{"ramp 2..0/2s", 9 * time.Second, []Time{0, 585786438}},  // 2t less half t squared; the second is never complete
		{"ramp 0..2/2s, hold 1s", 3 * time.Second, []Time{0, 1414213562, 2000 * ms, 2500 * ms}},
		{"step 1..3+1/1s", 3 * time.Second, []Time{0, 1000 * ms, 1500 * ms, 2000 * ms, 2333333333, 2666666667}},
		{"step 3..1+1/1s", 3 * time.Second, []Time{0, 333333333, 666666667, 1000 * ms, 1500 * ms, 2000 * ms}},
	} {
		var got []Time
		for _, x := range instantsOf(rate(tt.rate), Constant, 0, 0, tt.end, 0, 1) {
			got = append(got, x.at)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.rate, got, tt.want)
		}
	}
}

// TestScheduleDoesNotDrift looks at instants far out: each is where its number says, to the nanosecond.
func TestScheduleDoesNotDrift(t *testing.T) {
	c := cursor{parts: At(300000).parts}
	for _, k := range []uint64{1, 299999, 300000, 300000 * 86400, 300000*86400*7 + 1} {
		s, _ := c.at(float64(k))
		want := k/300000*1e9 + (k%300000*1e9+150000)/300000
		if got := nanoseconds(s); got < Time(want)-64 || got > Time(want)+64 { // a float's grain after a week
			t.Errorf("instant %d is at %d, want %d", k, got, want)
		}
	}
}

func TestShardsAreThePlan(t *testing.T) {
	for _, law := range []Arrival{Constant, Poisson} {
		for _, text := range []string{"1k", "ramp 0..3k/1s, hold 500ms", "step 100..900+100/200ms", "7"} {
			p := rate(text).after(300 * time.Millisecond)
			whole := instantsOf(p, law, 7, 300*time.Millisecond, 2*time.Second, 0, 1)
			for _, n := range []int{2, 3, 5} {
				var parts []instant
				for i := range n {
					part := instantsOf(p, law, 7, 300*time.Millisecond, 2*time.Second, i, n)
					if d := len(part) - len(whole)/n; d < 0 || d > 1 {
						t.Errorf("%s %s: shard %d of %d has %d of %d", law, text, i, n, len(part), len(whole))
					}
					parts = append(parts, part...)
				}
				slices.SortFunc(parts, func(a, b instant) int { return int(a.at - b.at) })
				if !slices.Equal(parts, whole) {
					t.Errorf("%s %s: %d shards have %d instants together, one has %d, or others", law, text, n, len(parts), len(whole))
				}
			}
			if i := slices.IndexFunc(whole, func(x instant) bool { return x.number >= 0 }); law == Constant &&
				(whole[i].number != 0 || whole[i].at < Time(300*time.Millisecond) || i > 0 && whole[i-1].at >= Time(300*time.Millisecond)) {
				t.Errorf("%s: the first of the measured part is %+v", text, whole[i])
			}
		}
	}
}

// TestPoisson compares the gaps with the law: their mean, their spread, and the share of those longer than the mean, which is 1/e.
func TestPoisson(t *testing.T) {
	list := instantsOf(At(10000), Poisson, 1, 0, 10*time.Second, 0, 1)
	if n := float64(len(list)); math.Abs(n-100000) > 4*math.Sqrt(100000) {
		t.Errorf("%v instants in 10 s at 10,000/s", n)
	}
	var sum, squares float64
	long := 0
	for i := 1; i < len(list); i++ {
		gap := float64(list[i].at-list[i-1].at) / 1e5
		sum += gap
		squares += gap * gap
		if gap > 1 {
			long++
		}
	}
	n := float64(len(list) - 1)
	mean := sum / n
	spread := math.Sqrt(squares/n - mean*mean)
	if math.Abs(mean-1) > 0.02 || math.Abs(spread-1) > 0.02 || math.Abs(float64(long)/n-1/math.E) > 0.01 {
		t.Errorf("mean %v, spread %v, longer than the mean %v", mean, spread, float64(long)/n)
	}
	if !slices.Equal(list, instantsOf(At(10000), Poisson, 1, 0, 10*time.Second, 0, 1)) {
		t.Error("the same seed gives other instants")
	}
	if slices.Equal(list, instantsOf(At(10000), Poisson, 2, 0, 10*time.Second, 0, 1)) {
		t.Error("another seed gives the same instants")
	}
}
