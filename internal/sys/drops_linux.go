package sys

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// memDrops is the index of the drops among what SO_MEMINFO returns, SK_MEMINFO_DROPS of linux/sock_diag.h; memVars is their number.
const (
	memDrops = 8
	memVars  = 9
)

// Drops returns how many datagrams the kernel threw away because the socket's receive queue was full (SO_MEMINFO, since Linux 4.12).
func Drops(fd int) (n uint32, errno syscall.Errno) {
	var vars [memVars]uint32
	size := uint32(unsafe.Sizeof(vars))
	_, _, errno = unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.SOL_SOCKET, unix.SO_MEMINFO,
		uintptr(unsafe.Pointer(&vars)), uintptr(unsafe.Pointer(&size)), 0)
	return vars[memDrops], errno
}
