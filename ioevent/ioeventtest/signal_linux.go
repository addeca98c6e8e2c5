package ioeventtest

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// interruptThread sends signals to this goroutine's thread until stop is called. The runtime handles SIGURG and ignores it.
func interruptThread(t *testing.T) (stop func()) {
	runtime.LockOSThread()
	pid, tid := unix.Getpid(), unix.Gettid()
	quit := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-quit:
				return
			case <-time.After(time.Millisecond):
			}
			if err := unix.Tgkill(pid, tid, unix.SIGURG); err != nil {
				t.Errorf("tgkill: %v", err)
				return
			}
		}
	})
	return func() {
		close(quit)
		wg.Wait()
		runtime.UnlockOSThread()
	}
}
