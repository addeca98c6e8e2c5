package ioevent

import (
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// timerfd is a timer with a descriptor, timerfd_create(2), that is readable once the time has come.
type timerfd struct {
	fd     int
	offset Time // of CLOCK_MONOTONIC to Time
}

func openTimerfd() (timerfd, error) {
	offset, err := monotonicOffset()
	if err != nil {
		return timerfd{fd: -1}, err
	}
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_CLOEXEC|unix.TFD_NONBLOCK)
	return timerfd{fd, offset}, os.NewSyscallError("timerfd_create", err)
}

// monotonicOffset compares the two clocks, which run alike. What passes between the readings makes the offset too great, so that a timer
// comes late and never early; the shortest of some tries makes that a few nanoseconds.
func monotonicOffset() (Time, error) {
	least := Never
	for range 16 {
		before := Now()
		var ts unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
			return 0, os.NewSyscallError("clock_gettime", err)
		}
		least = min(least, Time(ts.Nano())-before)
	}
	return least, nil
}

// arm sets the timer to at, in place of the time before; what it said is forgotten.
func (t timerfd) arm(at Time) error {
	var spec unix.ItimerSpec // zero disarms
	if at != Never {
		const latest = math.MaxInt32 * 1e9 // as far as a 32-bit Timespec goes, 68 years of uptime
		spec.Value = unix.NsecToTimespec(int64(max(1, min(at, latest-t.offset)+t.offset)))
	}
	return os.NewSyscallError("timerfd_settime", unix.TimerfdSettime(t.fd, unix.TFD_TIMER_ABSTIME, &spec, nil))
}

func (t timerfd) close() error { return unix.Close(t.fd) }
