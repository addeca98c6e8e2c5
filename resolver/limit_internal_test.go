package resolver

import (
	"math"
	"testing"
	"time"
)

func TestLimiter(t *testing.T) {
	for _, rate := range []float64{1, 10, 99, 1000, 1e6} {
		l := newLimiter(rate)
		now, sent := Time(time.Hour), 0
		const length = Time(20 * time.Second)
		for end := now + length; now < end; {
			n := l.allowed(now)
			if n > max(1, int(rate/100)+1) {
				t.Fatalf("rate %v: %d allowed at once", rate, n)
			}
			l.spend(n)
			sent += n
			now = max(now+Time(time.Millisecond), min(l.when(), now+Time(time.Second)))
		}
		want := rate * time.Duration(length).Seconds()
		if got := float64(sent); math.Abs(got-want) > max(1, want*0.012) {
			t.Errorf("rate %v: %v sent in 20 s, want %v", rate, got, want)
		}
	}
}

func TestLimiterWithoutRate(t *testing.T) {
	l := newLimiter(0)
	if n := l.allowed(1); n != math.MaxInt {
		t.Errorf("allowed = %d, want no bound", n)
	}
}
