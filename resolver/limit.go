package resolver

import (
	"math"
	"time"
)

// limiter is a token bucket on the engine's time. The zero limiter allows everything.
type limiter struct {
	interval Time // from one send to the next
	burst    Time // what an idle time may save up
	next     Time // behind now by the sends that are allowed
}

// newLimiter allows rate sends a second, and ten milliseconds' worth of them (at least one) at once.
func newLimiter(rate float64) limiter {
	if rate <= 0 {
		return limiter{}
	}
	interval := max(1, Time(float64(time.Second)/rate))
	return limiter{interval: interval, burst: max(interval, Time(10*time.Millisecond))}
}

// allowed returns how many sends are allowed at now.
func (l *limiter) allowed(now Time) int {
	if l.interval == 0 {
		return math.MaxInt
	}
	l.next = max(l.next, now-l.burst)
	return int((now - l.next) / l.interval)
}

// spend counts n sends.
func (l *limiter) spend(n int) { l.next += Time(n) * l.interval }

// when returns the time at which a send is allowed.
func (l *limiter) when() Time { return l.next + l.interval }
