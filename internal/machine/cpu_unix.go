//go:build unix

package machine

import (
	"syscall"
	"time"
)

// CPUTimes is what this process has used of the processors: getrusage(2).
func CPUTimes() (user, sys time.Duration) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano())
}
