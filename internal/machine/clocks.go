package machine

import "time"

// A Clock is one that is read by a system call.
type Clock struct {
	Name       string
	Resolution time.Duration         // as the system states it, clock_getres(2)
	Read       func() time.Duration  // since some time in the past
	Repeat     func(reads int) error // nothing but reads
}
