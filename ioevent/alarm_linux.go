package ioevent

import "golang.org/x/sys/unix"

// alarm is the timer of the poller poll, here a timerfd in the set that is polled.
type alarm struct{ timerfd }

func openAlarm() (*alarm, error) {
	t, err := openTimerfd()
	return &alarm{t}, err
}

// file is the descriptor to poll.
func (a *alarm) file() int { return a.fd }

func (a *alarm) arm(c *Counters, at Time) error {
	c.Syscalls++
	return a.timerfd.arm(at)
}

// drain makes it unreadable.
func (a *alarm) drain() {
	var count [8]byte
	_, _ = unix.Read(a.fd, count[:])
}
