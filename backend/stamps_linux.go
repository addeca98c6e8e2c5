package backend

import (
	"syscall"
	"unsafe"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// stampSize is the size of a struct __kernel_timespec, of two 64-bit numbers everywhere: SO_TIMESTAMPNS_NEW has it, since Linux 5.1.
const stampSize = 16

// wantStamps has the kernel stamp what comes to fd, and reports whether it does.
func wantStamps(fd int) bool {
	return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS_NEW, 1) == nil
}

// stampedReceive is recvfrom(2) by way of recvmsg(2), which has room for the stamp: it leaves that in s.stamp.
func (s *plainSocket) stampedReceive() func(fd int, p []byte, from *sys.Sockaddr) (int, syscall.Errno) {
	var r struct {
		msg     unix.Msghdr
		iov     unix.Iovec
		control [controlSize]byte
	}
	return func(fd int, p []byte, from *sys.Sockaddr) (n int, errno syscall.Errno) {
		r.iov.Base = unsafe.SliceData(p)
		r.iov.SetLen(len(p))
		r.msg = unix.Msghdr{Iov: &r.iov, Control: &r.control[0]}
		r.msg.SetIovlen(1)
		r.msg.SetControllen(len(r.control))
		if from != nil {
			r.msg.Name, r.msg.Namelen = from.Name(), sys.SockaddrSize
		}
		if n, errno = sys.Recvmsg(fd, &r.msg); errno == 0 {
			s.stamp = readNote(r.control[:r.msg.Controllen]).stamp
		}
		return n, errno
	}
}
