//go:build unix && !linux

package ioevent

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// wakefd is a descriptor that another goroutine makes readable, here a pipe(2).
type wakefd struct{ fd, in int }

func openWakefd() (wakefd, error) {
	var fds [2]int
	syscall.ForkLock.RLock() // not every system has pipe2: no child may start in between
	err := unix.Pipe(fds[:])
	if err == nil {
		unix.CloseOnExec(fds[0])
		unix.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return wakefd{-1, -1}, os.NewSyscallError("pipe", err)
	}
	w := wakefd{fds[0], fds[1]}
	for _, fd := range fds {
		if err := unix.SetNonblock(fd, true); err != nil {
			_ = w.close()
			return wakefd{-1, -1}, os.NewSyscallError("fcntl", err)
		}
	}
	return w, nil
}

func (w wakefd) signal() error {
	_, err := unix.Write(w.in, []byte{0})
	if err == unix.EAGAIN {
		return nil // full: readable it is
	}
	return os.NewSyscallError("write", err)
}

// drain makes it unreadable. It reads once: what is left wakes once more.
func (w wakefd) drain() {
	var buf [256]byte
	_, _ = unix.Read(w.fd, buf[:])
}

func (w wakefd) close() error {
	_ = unix.Close(w.in)
	return unix.Close(w.fd)
}
