package backend

import (
	"encoding/binary"
	"syscall"
	"unsafe"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// An errorQueue is the kernel's, where ICMP errors are kept with the datagrams they are about.
type errorQueue struct{ pending bool } // it may hold something

// told notes that a call returned what the network said about an earlier datagram.
func (q *errorQueue) told(syscall.Errno) { q.pending = true }

// own notes that it was about that call's datagram. The kernel queues a copy of an EMSGSIZE.
func (q *errorQueue) own() { q.pending = true }

// suspect has the queue looked at.
func (q *errorQueue) suspect() { q.pending = true }

// quiet says that the queue was empty at the last look.
func (q *errorQueue) quiet() bool { return !q.pending }

// A report is what recvmsg(2) takes to read one entry of the error queue.
type report struct {
	msg     unix.Msghdr
	iov     unix.Iovec
	name    sys.Sockaddr
	control [128]byte // sock_extended_err and the address of who sent the ICMP message, with room to spare
}

// wantReports has ICMP errors queued with the datagram they are about (IP_RECVERR in ip(7)).
func wantReports(fd int, cfg *Config) error {
	level, option := unix.IPPROTO_IP, unix.IP_RECVERR
	if cfg.ipv6() {
		level, option = unix.IPPROTO_IPV6, unix.IPV6_RECVERR
	}
	if err := unix.SetsockoptInt(fd, level, option, 1); err != nil {
		return failed("setsockopt", err)
	}
	return nil
}

// reports moves what is pending from the error queue into batch.
func (u *udp) reports(batch []Datagram) (n int) {
	for range len(batch) + 1 {
		if !u.pending || n == len(batch) {
			break
		}
		n += u.report(&batch[n])
	}
	return n
}

// report reads one entry of the error queue and returns 1 if it is a report of the network.
func (u *udp) report(d *Datagram) int {
	if u.arena.report == nil {
		u.arena.report = new(report)
	}
	r := u.arena.report
	r.iov.Base = unsafe.SliceData(d.Buf)
	r.iov.SetLen(len(d.Buf))
	r.msg = unix.Msghdr{Name: r.name.Name(), Namelen: sys.SockaddrSize, Iov: &r.iov, Control: &r.control[0]}
	r.msg.SetIovlen(1)
	r.msg.SetControllen(len(r.control))
	n, errno := sys.RecvError(u.fd, &r.msg)
	u.stats.Syscalls++
	switch {
	case errno == unix.EINTR:
		return 0
	case errno != 0: // EAGAIN: the queue is empty
		u.stats.EmptyReceives++
		u.pending = false
		return 0
	}
	// An error of this system's own, an EMSGSIZE, has been returned by Send already.
	errno, origin := extendedError(r.control[:r.msg.Controllen])
	if errno == 0 || origin == unix.SO_EE_ORIGIN_LOCAL {
		return 0
	}
	d.Data, d.Addr, d.Stamp, d.Truncated = d.Buf[:n], u.remote, 0, r.msg.Flags&unix.MSG_TRUNC != 0
	if !u.connected() {
		d.Addr = u.arena.zones.with(r.name.AddrPort())
	}
	d.Err = reported(errno)
	return 1
}

// extendedError finds the sock_extended_err among control messages: its number and who says so.
func extendedError(control []byte) (errno syscall.Errno, origin uint8) {
	for len(control) >= unix.SizeofCmsghdr {
		h, data, rest, err := unix.ParseOneSocketControlMessage(control)
		if err != nil {
			break
		}
		v4 := h.Level == unix.IPPROTO_IP && h.Type == unix.IP_RECVERR
		v6 := h.Level == unix.IPPROTO_IPV6 && h.Type == unix.IPV6_RECVERR
		if (v4 || v6) && len(data) >= 5 {
			return syscall.Errno(binary.NativeEndian.Uint32(data)), data[4]
		}
		control = rest
	}
	return 0, 0
}
