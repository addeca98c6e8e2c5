package machine

import (
	"syscall"
	"time"
)

// CPUTimes is what this process has used of the processors: GetProcessTimes.
func CPUTimes() (user, sys time.Duration) {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0, 0
	}
	var created, ended, inKernel, inUser syscall.Filetime
	if syscall.GetProcessTimes(self, &created, &ended, &inKernel, &inUser) != nil {
		return 0, 0
	}
	return length(inUser), length(inKernel)
}

// length reads a length of time; Filetime's own method takes it for a date.
func length(t syscall.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
}
