package backend

import (
	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// setBuffer sets SO_RCVBUF or SO_SNDBUF, beyond the administrator's limit where CAP_NET_ADMIN permits it.
func setBuffer(fd, option, size int) error {
	force := unix.SO_RCVBUFFORCE
	if option == unix.SO_SNDBUF {
		force = unix.SO_SNDBUFFORCE
	}
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, force, size) == nil {
		return nil
	}
	return unix.SetsockoptInt(fd, unix.SOL_SOCKET, option, size)
}

// countDrops asks for the exact number; SO_RXQ_OVFL knows only what was dropped before the last datagram received.
func countDrops(fd int, s *Stats) {
	if n, errno := sys.Drops(fd); errno == 0 {
		s.Dropped = max(s.Dropped, uint64(n))
	}
}
