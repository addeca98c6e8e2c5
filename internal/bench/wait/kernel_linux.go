package wait

import (
	"net"
	"net/netip"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// descriptors are what all loops have.
type descriptors struct {
	socket int
	timer  int // or -1
	buf    [4096]byte
}

// openKernel connects a socket to server, or to itself where that is invalid.
func openKernel(w Way, server netip.AddrPort) (kernel, error) {
	d := &descriptors{socket: -1, timer: -1}
	if err := d.open(w, server); err != nil {
		_ = d.close()
		return nil, err
	}
	var k kernel
	var err error
	switch w.Call {
	case "select":
		k, err = newSelects(d)
	case "poll":
		k = newPolls(d)
	default:
		k, err = newEpolls(d)
	}
	if err != nil {
		_ = d.close()
		return nil, err
	}
	return k, nil
}

func (d *descriptors) open(w Way, server netip.AddrPort) (err error) {
	self := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), 0)
	family, peer := sockaddr(self)
	if server.IsValid() {
		family, peer = sockaddr(server)
	}
	// Not of package net: the runtime's own poller, which watches those, would be told of each datagram, too.
	d.socket, err = unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socket", err)
	}
	if !server.IsValid() {
		if err := unix.Bind(d.socket, peer); err != nil {
			return os.NewSyscallError("bind", err)
		}
		if peer, err = unix.Getsockname(d.socket); err != nil {
			return os.NewSyscallError("getsockname", err)
		}
	}
	if err := unix.Connect(d.socket, peer); err != nil {
		return os.NewSyscallError("connect", err)
	}
	if w.Manner == Timerfd {
		d.timer, err = unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_CLOEXEC|unix.TFD_NONBLOCK)
	}
	return os.NewSyscallError("timerfd_create", err)
}

func sockaddr(ap netip.AddrPort) (family int, sa unix.Sockaddr) {
	addr := ap.Addr().Unmap()
	if addr.Is4() {
		return unix.AF_INET, &unix.SockaddrInet4{Port: int(ap.Port()), Addr: addr.As4()}
	}
	s := &unix.SockaddrInet6{Port: int(ap.Port()), Addr: addr.As16()}
	if i, err := net.InterfaceByName(addr.Zone()); err == nil {
		s.ZoneId = uint32(i.Index)
	}
	return unix.AF_INET6, s
}

func (d *descriptors) receive() error {
	_, err := unix.Read(d.socket, d.buf[:])
	return outcome("read", err)
}

func (d *descriptors) send(query []byte) error {
	_, err := unix.Write(d.socket, query)
	return outcome("write", err)
}

// outcome tells what a loop goes on from. A full send buffer is a lost query like those that nobody is there for.
func outcome(call string, err error) error {
	switch err {
	case nil:
		return nil
	case unix.EAGAIN:
		if call == "read" {
			return errDry
		}
		return errRefused
	case unix.ECONNREFUSED, unix.EHOSTUNREACH, unix.ENETUNREACH, unix.ENOBUFS:
		return errRefused
	}
	return os.NewSyscallError(call, err)
}

func (d *descriptors) arm(after time.Duration) error {
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(after))}
	return os.NewSyscallError("timerfd_settime", unix.TimerfdSettime(d.timer, 0, &spec, nil))
}

// expired takes the timer's news, so that it is not told again.
func (d *descriptors) expired() {
	_, _ = unix.Read(d.timer, d.buf[:8]) // EAGAIN: somebody armed it meanwhile
}

func (d *descriptors) close() error {
	for _, fd := range []int{d.socket, d.timer} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
	return nil
}
