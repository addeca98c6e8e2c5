package responder

import (
	"os"

	"golang.org/x/sys/unix"
)

// reusePort lets the sockets of all threads have one address, between which the kernel spreads the clients' ports (SO_REUSEPORT, Linux 3.9).
func reusePort(_ string, fd uintptr) error {
	return os.NewSyscallError("setsockopt", unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1))
}
