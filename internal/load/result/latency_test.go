package result_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/load/result"
)

func TestLatencyOf(t *testing.T) {
	if got := result.LatencyOf(nil); got != (result.Latency{}) {
		t.Errorf("nil: %+v", got)
	}
	h := result.NewHistogram()
	if got := result.LatencyOf(h); got != (result.Latency{}) {
		t.Errorf("empty: %+v", got)
	}
	result.Record(h, time.Millisecond, 99)
	result.Record(h, time.Second, 1)
	got := result.LatencyOf(h)
	for name, v := range map[string][2]float64{
		"min": {got.Min, 1e3}, "p50": {got.P50, 1e3}, "p99": {got.P99, 1e3}, "p99.9": {got.P999, 1e6}, "max": {got.Max, 1e6},
		"mean": {got.Mean, 10990}, "stddev": {got.Stddev, 99400},
	} {
		if v[0] < 0.998*v[1] || v[0] > 1.002*v[1] {
			t.Errorf("%s: %v µs, want about %v", name, v[0], v[1])
		}
	}
	if got.Count != 100 || got.P99 > got.P999 || got.P9999 > got.Max {
		t.Errorf("%+v", got)
	}
}

// What is out of the range is taken for its end, and counts of a day at a million a second do not overflow.
func TestRecordRange(t *testing.T) {
	const day = 86_400_000_000
	h := result.NewHistogram()
	result.Record(h, -time.Second, 1)
	result.Record(h, time.Hour, day)
	if got := h.TotalCount(); got != day+1 {
		t.Errorf("%d counted, want %d", got, day+1)
	}
	if l := result.LatencyOf(h); l.Min != 0 || l.P50 < 119e6 || l.P50 > 121e6 || l.Mean < 119e6 || l.Mean > 121e6 {
		t.Errorf("%+v, want 0 to about 120 s", l)
	}
}

// Bucket i is for what is HeatBound(i) or more, and less than HeatBound(i+1).
func TestHeat(t *testing.T) {
	// Below 1 ms, a histogram's own steps are too wide to tell what is near a bound; above 100 s nothing is recorded.
	for i := 31; i < 79; i++ {
		tick := result.NewTick(0, 0)
		result.Record(tick.Response, result.HeatBound(i)*1003/1000, 2)
		result.Record(tick.Response, result.HeatBound(i+1)*997/1000, 3)
		want := make([]uint64, result.HeatBuckets)
		want[i] = 5
		if diff := cmp.Diff(want, tick.Second().Heat); diff != "" {
			t.Errorf("bucket %d (-want +got):\n%s", i, diff)
		}
	}
	tick := result.NewTick(0, 0)
	result.Record(tick.Response, 0, 7)
	result.Record(tick.Response, time.Hour, 9)
	if heat := tick.Second().Heat; heat[0] != 7 || heat[79] != 9 {
		t.Errorf("%v", heat)
	}
}

func TestTickAdd(t *testing.T) {
	a, b := result.NewTick(0, 3), result.NewTick(1, 3)
	for i, tick := range []*result.Tick{a, b} {
		n := uint64(i + 1)
		tick.Target, tick.Sent, tick.Completed, tick.InFlight = 1000*float64(n), 100*n, 90*n, int(5*n)
		tick.Lost = result.Lost{ClientDrop: n, SendError: 2 * n, ICMP: 3 * n, Closed: 4 * n, Late: 5 * n, Timeout: 6 * n}
		tick.Unsent = result.Unsent{Behind: 7 * n, Window: 8 * n}
		tick.Strays = result.Strays{Late: n, Duplicate: 2 * n, Mismatched: 3 * n, Unsolicited: 4 * n, Malformed: 5 * n}
		result.Record(tick.Response, time.Duration(n)*time.Millisecond, 1)
		result.Record(tick.Service, time.Millisecond, 2)
		result.Record(tick.Pacing, time.Millisecond, 3)
	}
	a.Add(b)
	want := result.Second{At: 3, Target: 3000, Sent: 300, Completed: 270, Lost: 63, Unsent: 45, InFlight: 15}
	got := a.Second()
	if got.Min < 990 || got.Min > 1010 || got.Mean < 1490 || got.Mean > 1510 || got.Max < 1990 || got.Max > 2010 {
		t.Errorf("latencies of %+v", got)
	}
	got.Min, got.Mean, got.P50, got.P99, got.Max, got.Heat = 0, 0, 0, 0, 0, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if (a.Strays != result.Strays{Late: 3, Duplicate: 6, Mismatched: 9, Unsolicited: 12, Malformed: 15}) || a.Response.TotalCount() != 2 || a.Service.TotalCount() != 4 || a.Pacing.TotalCount() != 6 {
		t.Errorf("%+v", a)
	}
}

func TestEncodeDecode(t *testing.T) {
	if text, err := result.Encode(result.NewHistogram()); text != "" || err != nil {
		t.Errorf("empty: %q, %v", text, err)
	}
	h := result.NewHistogram()
	result.Record(h, 1234*time.Microsecond, 5)
	result.Record(h, 120*time.Second, 1)
	text, err := result.Encode(h)
	if err != nil {
		t.Fatal(err)
	}
	got, err := result.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Equals(h) {
		t.Errorf("%+v, want %+v", result.LatencyOf(got), result.LatencyOf(h))
	}
	if got, err := result.Decode(""); err != nil || got.TotalCount() != 0 {
		t.Errorf(`"": %v, %v`, got, err)
	}
	for _, bad := range []string{"x", text[:len(text)/2], "HISTFAAAAA=="} {
		if _, err := result.Decode(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
