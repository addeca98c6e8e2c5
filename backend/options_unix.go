//go:build unix && !linux

package backend

import "golang.org/x/sys/unix"

// setBuffer sets SO_RCVBUF or SO_SNDBUF.
func setBuffer(fd, option, size int) error {
	return unix.SetsockoptInt(fd, unix.SOL_SOCKET, option, size)
}

// countDrops leaves the number 0: this system does not tell.
func countDrops(int, *Stats) {}
