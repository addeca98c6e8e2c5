//go:build unix && !(linux || freebsd || netbsd || openbsd || dragonfly || solaris)

package sys

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// Socket makes a socket that never blocks and is closed on exec. Where socket(2) takes no flags the fork lock keeps a child from
// being made before the second call.
func Socket(family, typ int) (fd int, errno syscall.Errno) {
	syscall.ForkLock.RLock()
	fd, err := unix.Socket(family, typ, 0)
	if err == nil {
		unix.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return -1, Errno(err)
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return -1, Errno(err)
	}
	return fd, 0
}
