package ioevent

import (
	"encoding/binary"
	"os"

	"golang.org/x/sys/unix"
)

// eventfd is a descriptor that another goroutine makes readable, eventfd(2).
type eventfd struct{ fd int }

func openEventfd() (eventfd, error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	return eventfd{fd}, os.NewSyscallError("eventfd2", err)
}

func (e eventfd) signal() error {
	var one [8]byte
	binary.NativeEndian.PutUint64(one[:], 1)
	_, err := unix.Write(e.fd, one[:])
	return os.NewSyscallError("write", err)
}

func (e eventfd) close() error { return unix.Close(e.fd) }
