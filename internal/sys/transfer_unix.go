//go:build unix && !linux

package sys

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// Recvfrom is recvfrom(2): it receives one datagram into p and its source into from, which is nil where the source is not wanted.
// With a source it allocates: x/sys/unix has no other way that every system allows (OpenBSD has no syscall(2) since 7.5).
func Recvfrom(fd int, p []byte, from *Sockaddr) (n int, errno syscall.Errno) {
	if from == nil {
		n, err := unix.Read(fd, p)
		return max(n, 0), Errno(err)
	}
	n, sa, err := unix.Recvfrom(fd, p, 0)
	from.any = sa
	return max(n, 0), Errno(err)
}

// Sendto is sendto(2). A nil to is the peer of a connected socket.
func Sendto(fd int, p []byte, to *Sockaddr, _ uint32) (n int, errno syscall.Errno) {
	if to == nil {
		errno = Errno(unix.Send(fd, p, 0))
	} else if to.any == nil {
		errno = unix.EDESTADDRREQ
	} else {
		errno = Errno(unix.Sendto(fd, p, 0, to.any))
	}
	if errno != 0 {
		return 0, errno
	}
	return len(p), 0
}

// Write writes to a connected stream. The Go runtime keeps SIGPIPE from anything but descriptors 1 and 2 (os/signal).
func Write(fd int, p []byte) (n int, errno syscall.Errno) {
	n, err := unix.Write(fd, p)
	return max(n, 0), Errno(err)
}
