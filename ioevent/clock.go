package ioevent

import "time"

// epoch is where Time counts from. A testing/synctest bubble has no monotonic clock, and its wall clock starts with the year 2000: epoch is
// before that, so that Time is positive there too.
var epoch = beforeBubbles(time.Now())

// beforeBubbles moves t, its monotonic clock reading along with it, to the end of 1999.
func beforeBubbles(t time.Time) time.Time {
	return t.Add(min(0, time.Date(1999, time.December, 31, 0, 0, 0, 0, time.UTC).Sub(t)))
}

// Now reads the clock: the monotonic one of package time, which in a testing/synctest bubble is the bubble's.
func Now() Time { return Time(time.Since(epoch)) }

// Wall reads Now together with the wall clock, which is in nanoseconds as time.Time.UnixNano has it. What their difference was once does not hold for long: the
// wall clock is set, and steered.
func Wall() (now Time, wall int64) {
	t := time.Now()
	return Time(t.Sub(epoch)), t.UnixNano()
}

// ClockCost measures what one read of Now takes, in some microseconds.
func ClockCost() time.Duration { return readCost(Now) }
