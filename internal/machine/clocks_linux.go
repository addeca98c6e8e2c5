package machine

import (
	"time"

	"golang.org/x/sys/unix"
)

// Clocks are the monotonic one, which package time has from the vDSO where there is one, and its coarse twin, which is as old as the last tick.
// x/sys/unix reads both by clock_gettime(2); that it tells the scheduler first costs some nanoseconds.
func Clocks() []Clock {
	return []Clock{clock("CLOCK_MONOTONIC", unix.CLOCK_MONOTONIC), clock("CLOCK_MONOTONIC_COARSE", unix.CLOCK_MONOTONIC_COARSE)}
}

func clock(name string, id int32) Clock {
	var res unix.Timespec
	_ = unix.ClockGetres(id, &res) // 0: not known
	return Clock{
		Name: name, Resolution: time.Duration(res.Nano()),
		Read: func() time.Duration {
			var ts unix.Timespec
			_ = unix.ClockGettime(id, &ts) // fails for unknown clocks alone, as Repeat would tell
			return time.Duration(ts.Nano())
		},
		Repeat: func(reads int) error {
			var ts unix.Timespec
			for range reads {
				if err := unix.ClockGettime(id, &ts); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
