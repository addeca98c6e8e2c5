package ioevent

import (
	"encoding/binary"
	"os"

	"golang.org/x/sys/unix"
)

// wakefd is a descriptor that another goroutine makes readable, here an eventfd(2).
type wakefd struct{ fd int }

func openWakefd() (wakefd, error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	return wakefd{fd}, os.NewSyscallError("eventfd2", err)
}

func (w wakefd) signal() error {
	var one [8]byte
	binary.NativeEndian.PutUint64(one[:], 1)
	_, err := unix.Write(w.fd, one[:])
	return os.NewSyscallError("write", err)
}

// drain makes it unreadable, which a level-triggered poller has to do.
func (w wakefd) drain() {
	var count [8]byte
	_, _ = unix.Read(w.fd, count[:])
}

func (w wakefd) close() error { return unix.Close(w.fd) }
