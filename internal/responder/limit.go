package responder

import (
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// A limiter is a server that takes as long for each query and has a short queue: a bucket that leaks, reckoned by the time at which it will be
// empty (GCRA, ITU-T I.371).
type limiter struct {
	each  float64 // nanoseconds a query; 0: no limit
	queue float64
	free  float64 // when the last query taken will be done, since base
	base  ioevent.Time
}

func newLimiter(f *Faults) limiter {
	if f.Limit == 0 {
		return limiter{}
	}
	return limiter{each: float64(time.Second) / f.Limit, queue: float64(f.LimitQueue)}
}

// take returns when a query is done that is seen at now and came between since and then, false where the queue is full.
func (l *limiter) take(since, now ioevent.Time) (done ioevent.Time, ok bool) {
	if l.each == 0 {
		return now, true
	}
	if l.base == 0 {
		l.base = since
	}
	begin := max(l.free, float64(since-l.base)) // exact for 100 days
	if begin-float64(now-l.base) > l.queue {
		return 0, false
	}
	l.free = begin + l.each
	return l.base + ioevent.Time(l.free), true
}
