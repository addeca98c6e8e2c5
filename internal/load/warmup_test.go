package load

import (
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

func TestWarmup(t *testing.T) {
	for _, p := range []Plan{
		{Rate: rate("100"), Duration: 2 * time.Second},
		{Arrival: Recorded, Set: list{every: 10 * time.Millisecond}, Duration: 2 * time.Second},
		{Rate: rate("100"), Count: 200, Threads: 3},
		{Rate: rate("ramp 100..50/1s, hold 2500ms"), Duration: 3500 * time.Millisecond},
		{Outstanding: 1, Count: 200},
	} {
		p.Warmup, p.Timeout = 1500*time.Millisecond, time.Second
		var early uint64
		var first *int
		p.OnTick = func(x *result.Tick) {
			if first == nil {
				first = new(x.At)
			}
			if x.At < 0 {
				early += x.Sent
			}
		}
		r, _ := on(t, &p, func(f *fake) {
			f.script = func(n int, at time.Duration) outcome { return outcome{after: 10 * time.Millisecond} }
		})
		if r.Planned != 200 || r.Completed != 200 {
			t.Errorf("planned %d, completed %d, lost %+v", r.Planned, r.Completed, r.Lost)
		}
		if early != 150 || first == nil || *first != -2 {
			t.Errorf("%d sent in the warm-up, from second %v", early, first)
		}
	}
}

// TestWarmupCountsInNothing has what was sent in the warm-up end after it, in every way that there is, and the drops come before.
func TestWarmupCountsInNothing(t *testing.T) {
	r, _ := on(t, &Plan{Rate: rate("100"), Duration: 2 * time.Second, Warmup: 1500 * time.Millisecond, Timeout: time.Second}, func(f *fake) {
		f.script = func(n int, at time.Duration) outcome {
			if at >= 1500*time.Millisecond {
				return outcome{after: time.Millisecond, lost: n == 160}
			}
			f.stats.Socket.Dropped++
			if n == 0 {
				return outcome{}
			}
			return []outcome{
				{after: 700 * time.Millisecond}, {lost: true}, {late: true, after: 1600 * time.Millisecond}, {after: 600 * time.Millisecond, err: errNoAnswer}, {after: 1100 * time.Millisecond},
			}[n%5]
		}
	})
	if r.Planned != 200 || r.Completed != 199 || r.Lost != (result.Lost{Timeout: 1}) || r.Strays != (result.Strays{}) || r.Late != nil {
		t.Errorf("planned %d, completed %d, lost %+v, strays %+v, late %+v", r.Planned, r.Completed, r.Lost, r.Strays, r.Late)
	}
	if r.Response.Max > 1100 || r.ResponseTimeout.Count != 200 {
		t.Errorf("response %+v, with timeouts %d", r.Response, r.ResponseTimeout.Count)
	}
}

// TestWarmupOfPoisson counts from the first instant behind the warm-up.
func TestWarmupOfPoisson(t *testing.T) {
	for _, threads := range []int{1, 3} {
		r, _ := on(t, &Plan{Rate: rate("100"), Arrival: Poisson, Count: 200, Warmup: 1500 * time.Millisecond, Threads: threads}, func(*fake) {})
		if r.Planned != 200 || r.Completed != 200 {
			t.Errorf("%d threads: planned %d, completed %d", threads, r.Planned, r.Completed)
		}
	}
}

// TestNoSecondIsLeftOut has one turn take three and a half seconds.
func TestNoSecondIsLeftOut(t *testing.T) {
	r, _ := on(t, &Plan{Rate: rate("10"), Duration: 8 * time.Second, Threads: 2}, func(f *fake) {
		if f.shard.index == 0 {
			stall(2500*time.Millisecond, 3500*time.Millisecond)(f)
		}
	})
	for i, s := range r.BySecond {
		if s.At != i {
			t.Errorf("second %d is at place %d", s.At, i)
		}
		if i < 8 && s.Target != 10 {
			t.Errorf("second %d has the target %v", i, s.Target)
		}
	}
	if len(r.BySecond) < 8 || r.Unsent.Behind < 16 {
		t.Errorf("%d seconds, %+v", len(r.BySecond), r.Unsent)
	}
}
