package machine

import (
	"time"

	"golang.org/x/sys/unix"
)

// ClockCall measures what clock_gettime(2) costs as a system call, which x/sys makes of it, as the least average of some tries; 0 where
// there is none to measure. A read by package time that costs as much is one: the vDSO (vdso(7)) does not serve the clock.
func ClockCall() time.Duration {
	const tries, reads = 8, 256
	least := time.Hour
	for range tries {
		began := time.Now()
		for range reads {
			var ts unix.Timespec
			if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
				return 0
			}
		}
		least = min(least, time.Since(began)/reads)
	}
	return least
}
