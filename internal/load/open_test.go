package load

import (
	"math"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

// TestRates asks for few, some and many queries a second: as many are sent, evenly.
func TestRates(t *testing.T) {
	for _, q := range []float64{1, 10, 10000, 1e6} {
		for _, threads := range []int{1, 2} {
			r, fakes := on(t, &Plan{Rate: At(q), Duration: time.Second, Threads: threads}, func(*fake) {})
			if r.Sent != uint64(q) || r.Rate != q || r.Verdict != result.Valid || r.Plan.Target != q {
				t.Errorf("sent %d at %v/s of %v/s: %s %+v", r.Sent, r.Rate, q, r.Verdict, r.Reasons)
			}
			var slots [1000]int
			for _, f := range fakes {
				for _, at := range f.sends {
					slots[at.Milliseconds()]++
				}
			}
			for i, n := range slots {
				if want := q / 1000; math.Abs(float64(n)-want) > 1 {
					t.Errorf("%v/s, %d threads: %d in millisecond %d", q, threads, n, i)
				}
			}
		}
	}
}

// TestBehind has the machine stand still for 100 ms: what was due within the last of the lag is sent late, what was due before is not sent, and nothing after
// that is sent in a burst.
func TestBehind(t *testing.T) {
	r, fakes := on(t, &Plan{Rate: At(1000), Duration: 2 * time.Second}, stall(time.Second, 100*time.Millisecond))
	if r.Planned != 2000 || r.Unsent != (result.Unsent{Behind: 89}) || r.Verdict != result.Invalid || !hasCode(r, result.CodeBehind) {
		t.Errorf("planned %d, unsent %+v, %s %+v", r.Planned, r.Unsent, r.Verdict, r.Reasons)
	}
	var slots [2000]int
	for _, at := range fakes[0].sends {
		slots[at.Milliseconds()]++
	}
	for i, n := range slots {
		want := 1
		switch {
		case i >= 1000 && i < 1100:
			want = 0
		case i == 1100:
			want = 12 // the one that stood there, ten late ones and its own
		}
		if n != want {
			t.Errorf("%d were sent in millisecond %d, want %d", n, i, want)
		}
	}
	if r.Pacing.Max < 99900 || r.Pacing.Max > 100100 || r.Pacing.P99 > 1 {
		t.Errorf("pacing %+v; one was sent 100 ms late, and nearly all on time", r.Pacing)
	}
	if r.Response.Max < r.Service.Max+9000 {
		t.Errorf("the response time %v does not count the lateness; the service time is %v", r.Response.Max, r.Service.Max)
	}
}

// stall has the turn after the time at take so long.
func stall(at, length time.Duration) func(*fake) {
	return func(f *fake) {
		done := false
		f.turn = func(now time.Duration) (time.Duration, error) {
			if done || now < at {
				return 0, nil
			}
			done = true
			return length, nil
		}
	}
}

func TestShortStallIsNotBehind(t *testing.T) {
	r, _ := on(t, &Plan{Rate: At(1000), Duration: 2 * time.Second, Lag: 200 * time.Millisecond}, stall(time.Second, 100*time.Millisecond))
	if r.Sent != 2000 || r.Verdict != result.Valid || r.Pacing.Max < 99000 {
		t.Errorf("sent %d, pacing %+v, %s", r.Sent, r.Pacing, r.Verdict)
	}
	if r, _ := on(t, &Plan{Rate: At(1000), Duration: 20 * time.Second}, stall(time.Second, 100*time.Millisecond)); r.Verdict != result.Valid || !hasCode(r, result.CodeNote) {
		t.Errorf("%+v behind of %d: %s %+v", r.Unsent, r.Planned, r.Verdict, r.Reasons)
	}
}

// TestWindow has a server stand still for 200 ms. With a window of 100 the rest cannot be sent, and that is said; with none the response time shows it.
func TestWindow(t *testing.T) {
	still := func(f *fake) {
		f.script = func(_ int, at time.Duration) outcome {
			if at >= time.Second && at < 1200*time.Millisecond {
				return outcome{after: 1200*time.Millisecond - at}
			}
			return outcome{after: 100 * time.Microsecond}
		}
	}
	r, _ := on(t, &Plan{Rate: At(5000), Duration: 5 * time.Second, Outstanding: 100}, still)
	if r.Planned != 25000 || r.Unsent.Behind != 0 || r.Unsent.Window < 800 || r.Unsent.Window > 900 || !hasCode(r, result.CodeWindow) {
		t.Errorf("planned %d, unsent %+v, %+v", r.Planned, r.Unsent, r.Reasons)
	}
	r, _ = on(t, &Plan{Rate: At(5000), Duration: 5 * time.Second}, still)
	if r.Sent != 25000 || r.Response.P99 < 149000 || r.Response.P99 > 151000 || hasCode(r, result.CodeWindow) {
		t.Errorf("sent %d with p99 %v us, want 25000 and 150 ms: %+v", r.Sent, r.Response.P99, r.Reasons)
	}
}

// TestBehindAfterTheWindow has the server stand still, and later the machine: each is counted as what it is.
func TestBehindAfterTheWindow(t *testing.T) {
	r, _ := on(t, &Plan{Rate: At(1000), Duration: 3 * time.Second, Outstanding: 50}, func(f *fake) {
		stall(2*time.Second, 100*time.Millisecond)(f)
		f.script = func(_ int, at time.Duration) outcome {
			if at >= time.Second && at < 1200*time.Millisecond {
				return outcome{after: 1200*time.Millisecond - at}
			}
			return outcome{after: 100 * time.Microsecond}
		}
	})
	if w, b := r.Unsent.Window, r.Unsent.Behind; w < 130 || w > 150 || b < 85 || b > 90 {
		t.Errorf("%+v, want some 140 for the window, and 89 behind", r.Unsent)
	}
}

// TestRecording has the times of a recording kept to, twice as fast.
func TestRecording(t *testing.T) {
	for _, threads := range []int{1, 3} {
		r, fakes := on(t, &Plan{Arrival: Recorded, Set: list{n: 100, every: 20 * time.Millisecond}, Speed: 2, Threads: threads}, func(*fake) {})
		sent := make(map[time.Duration]int)
		for _, f := range fakes {
			for _, at := range f.sends {
				sent[at]++
			}
		}
		for i := range 100 {
			if n := sent[time.Duration(i)*10*time.Millisecond]; n != 1 {
				t.Errorf("%d threads: %d were sent at %d ms", threads, n, i*10)
			}
		}
		if r.Sent != 100 || r.Pacing.Max > 1 {
			t.Errorf("sent %d, pacing %+v", r.Sent, r.Pacing)
		}
	}
}
