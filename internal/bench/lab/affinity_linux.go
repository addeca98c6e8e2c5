package lab

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// processors lists those that the calling thread may run on: sched_getaffinity(2).
func processors() (list []int, err error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, os.NewSyscallError("sched_getaffinity", err)
	}
	for i, left := 0, set.Count(); left > 0; i++ {
		if set.IsSet(i) {
			list = append(list, i)
			left--
		}
	}
	return list, nil
}

// pin binds the calling goroutine to a thread and that to a processor. A thread that cannot be released from it ends with its goroutine.
func pin(processor int) (release func(), err error) {
	var before, set unix.CPUSet
	set.Set(processor)
	runtime.LockOSThread()
	err = unix.SchedGetaffinity(0, &before)
	if err == nil {
		err = unix.SchedSetaffinity(0, &set)
	}
	if err != nil {
		runtime.UnlockOSThread()
		return nil, os.NewSyscallError("sched_setaffinity", err)
	}
	return func() {
		if unix.SchedSetaffinity(0, &before) == nil {
			runtime.UnlockOSThread()
		}
	}, nil
}
