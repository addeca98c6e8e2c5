//go:build unix

package backendtest

import "syscall"

const (
	hasControl = true // Control gets a descriptor from package net, too
	hasStats   = true // the kernel tells the buffers it granted
	hasReset   = true // SetLinger(0) sends a reset
)

// boundPort is the port that fd is bound to, 0 for none.
func boundPort(fd uintptr) int {
	sa, _ := syscall.Getsockname(int(fd))
	switch sa := sa.(type) {
	case *syscall.SockaddrInet4:
		return sa.Port
	case *syscall.SockaddrInet6:
		return sa.Port
	}
	return 0
}
