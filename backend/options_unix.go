//go:build unix && !linux

package backend

import "golang.org/x/sys/unix"

// leastBuffer is where setBuffer stops asking for less: two datagrams of the old maximum fit.
const leastBuffer = 1024

// setBuffer sets SO_RCVBUF or SO_SNDBUF to size or, where that is more than the administrator permits, to what is permitted: a BSD
// refuses where Linux gives what it can.
func setBuffer(fd, option, size int) error {
	err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, option, size)
	for err == unix.ENOBUFS && size > leastBuffer {
		size -= size / 8
		err = unix.SetsockoptInt(fd, unix.SOL_SOCKET, option, size)
	}
	return err
}

// countDrops leaves the number 0: this system does not tell.
func countDrops(int, *Stats) {}
