package backend

import "golang.org/x/sys/unix"

func canBusyPoll() error { return nil }

// setBusyPoll sets the options of a socket that b names.
func setBusyPoll(fd int, b BusyPoll) error {
	prefer := 0
	if b.Prefer {
		prefer = 1
	}
	for _, o := range [...]struct{ option, value int }{
		{unix.SO_BUSY_POLL, int(b.Time.Microseconds())},
		{unix.SO_PREFER_BUSY_POLL, prefer},
		{unix.SO_BUSY_POLL_BUDGET, b.Budget},
	} {
		if o.value == 0 {
			continue
		}
		if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, o.option, o.value); err != nil {
			return failed("setsockopt", err)
		}
	}
	return nil
}
