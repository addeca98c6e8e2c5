package sys

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Recvfrom is recvfrom(2): it receives one datagram into p and its source into from, which is nil where the source is not wanted.
func Recvfrom(fd int, p []byte, from *Sockaddr) (n int, errno syscall.Errno) {
	size := uint32(SockaddrSize)
	var name, namelen unsafe.Pointer
	if from != nil {
		name, namelen = unsafe.Pointer(&from.raw), unsafe.Pointer(&size)
	}
	r, _, errno := unix.Syscall6(unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)),
		0, uintptr(name), uintptr(namelen))
	return count(r, errno), errno
}

// Sendto is sendto(2) without SIGPIPE. A nil to is the peer of a connected socket.
func Sendto(fd int, p []byte, to *Sockaddr, size uint32) (n int, errno syscall.Errno) {
	var name unsafe.Pointer
	if to != nil {
		name = unsafe.Pointer(&to.raw)
	}
	r, _, errno := unix.Syscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)),
		unix.MSG_NOSIGNAL, uintptr(name), uintptr(size))
	return count(r, errno), errno
}

// Write writes to a connected stream without SIGPIPE.
func Write(fd int, p []byte) (n int, errno syscall.Errno) { return Sendto(fd, p, nil, 0) }

// Recvmmsg is recvmmsg(2) without flags and timeout: it returns how many messages it filled.
func Recvmmsg(fd int, msgs []unix.Mmsghdr) (n int, errno syscall.Errno) {
	r, _, errno := unix.Syscall6(unix.SYS_RECVMMSG, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(msgs))), uintptr(len(msgs)), 0, 0, 0)
	return count(r, errno), errno
}

// Sendmmsg is sendmmsg(2) without flags. It may return fewer than len(msgs) and then hides why: call again with the rest.
func Sendmmsg(fd int, msgs []unix.Mmsghdr) (n int, errno syscall.Errno) {
	r, _, errno := unix.Syscall6(unix.SYS_SENDMMSG, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(msgs))), uintptr(len(msgs)), 0, 0, 0)
	return count(r, errno), errno
}

// Recvmsg is recvmsg(2) without flags.
func Recvmsg(fd int, msg *unix.Msghdr) (n int, errno syscall.Errno) {
	r, _, errno := unix.Syscall(unix.SYS_RECVMSG, uintptr(fd), uintptr(unsafe.Pointer(msg)), 0)
	return count(r, errno), errno
}

// RecvError is recvmsg(2) on the socket's error queue (IP_RECVERR in ip(7)).
func RecvError(fd int, msg *unix.Msghdr) (n int, errno syscall.Errno) {
	r, _, errno := unix.Syscall(unix.SYS_RECVMSG, uintptr(fd), uintptr(unsafe.Pointer(msg)), unix.MSG_ERRQUEUE)
	return count(r, errno), errno
}

func count(r uintptr, errno syscall.Errno) int {
	if errno != 0 {
		return 0
	}
	return int(r)
}
