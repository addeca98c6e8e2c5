package load

import (
	"math"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

// TestPercentiles gives answers delays that are known: each percentile is theirs, to the three digits that a histogram keeps.
func TestPercentiles(t *testing.T) {
	for _, p := range []Plan{{Rate: At(10000), Count: 100000}, {Outstanding: 50, Count: 100000}, {Outstanding: 50, Count: 100000, Threads: 3}} {
		r, _ := on(t, &p, func(f *fake) {
			f.script = func(n int, _ time.Duration) outcome {
				return outcome{after: time.Duration(1+n*7919%10000) * 10 * time.Microsecond} // each of 10 µs to 100 ms, as often
			}
		})
		for _, l := range []result.Latency{r.Response, r.Service, r.Targets[0].Response} {
			for _, x := range []struct{ got, want float64 }{{l.P50, 50000}, {l.P75, 75000}, {l.P90, 90000}, {l.P99, 99000}, {l.P999, 99900}, {l.P9999, 99990}, {l.Max, 100000}, {l.Mean, 50005}, {l.Min, 10}} {
				if d := math.Abs(x.got - x.want); d > x.want*0.001+0.512 {
					t.Errorf("%v us, want %v: %+v", x.got, x.want, l)
				}
			}
		}
	}
}

// TestTimeoutsAmongTheTimes has every fiftieth query time out. The answered show nothing of it; with the timeouts the 99th percentile is one.
func TestTimeoutsAmongTheTimes(t *testing.T) {
	for _, p := range []Plan{{Rate: At(1000), Duration: 5 * time.Second}, {Outstanding: 50, Count: 5000}} {
		p.Timeout = time.Second
		r, _ := on(t, &p, func(f *fake) {
			f.script = func(n int, _ time.Duration) outcome { return outcome{lost: n%50 == 0, after: time.Millisecond} }
		})
		if r.Lost.Timeout != 100 || r.Response.Max > 1001 || r.ResponseTimeout.P99 < 999000 || r.ResponseTimeout.Count != 5000 {
			t.Errorf("lost %+v, response %+v, with timeouts %+v", r.Lost, r.Response, r.ResponseTimeout)
		}
		if h, err := result.Decode(r.Histograms.ResponseTimeout); err != nil || h.TotalCount() != 5000 || result.LatencyOf(h) != r.ResponseTimeout {
			t.Errorf("the histogram with timeouts: %v, %+v", err, result.LatencyOf(h))
		}
	}
}

// TestNoLatencyBeyondTheTimeout has answers come around the end of the timeout.
func TestNoLatencyBeyondTheTimeout(t *testing.T) {
	r, _ := on(t, &Plan{Outstanding: 20, Count: 2000, Timeout: 100 * time.Millisecond}, func(f *fake) {
		f.script = func(n int, _ time.Duration) outcome {
			return outcome{after: 99*time.Millisecond + time.Duration(n%20)*100*time.Microsecond}
		}
	})
	if r.Service.Max > 100100 || r.Response.Max > 100100 {
		t.Errorf("the longest of the answered took %v us, the timeout is 100 ms", r.Service.Max)
	}
	if r.Completed != 1100 || r.Lost != (result.Lost{Late: 900}) || r.Late == nil || r.Late.Count != 900 || r.Late.Min < 100000 {
		t.Errorf("completed %d, lost %+v, late %+v", r.Completed, r.Lost, r.Late)
	}
}

func TestRcodesAndTargets(t *testing.T) {
	p := &Plan{Servers: []Server{server(1, 1), server(2, 3)}, Outstanding: 8, Count: 4000}
	r, _ := on(t, p, func(f *fake) {
		f.script = func(n int, _ time.Duration) outcome {
			return outcome{rcode: []uint16{0, 3, 16, 40}[n%4], after: time.Millisecond}
		}
	})
	if len(r.Targets) != 2 || r.Targets[0].Sent != 1000 || r.Targets[1].Sent != 3000 || r.Targets[1].Response.Count != 3000 {
		t.Errorf("targets %+v", r.Targets)
	}
	if len(r.Types) != 1 || r.Types[0].Type != "A" {
		t.Fatalf("types %+v", r.Types)
	}
	for name, want := range map[string]uint64{"NOERROR": 1000, "NXDOMAIN": 1000, "BADVERS": 1000, "RCODE40": 1000} {
		if got := r.Types[0].Rcodes[name]; got != want {
			t.Errorf("%d of %s, want %d: %v", got, name, want, r.Types[0].Rcodes)
		}
	}
	if r.SentOctets != 4000*uint64(len(question())) || r.Octets != 4000*50 {
		t.Errorf("%d octets sent, %d received", r.SentOctets, r.Octets)
	}
}
