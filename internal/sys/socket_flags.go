//go:build linux || freebsd || netbsd || openbsd || dragonfly || solaris

package sys

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// Socket makes a socket that never blocks and is closed on exec, in one system call.
func Socket(family, typ int) (fd int, errno syscall.Errno) {
	fd, err := unix.Socket(family, typ|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	return fd, Errno(err)
}
