//go:build unix

package backend

import (
	"net/netip"
	"syscall"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// openSocket makes the descriptor that cfg describes: options and Control first, then bind and connect. The connect of a stream may be
// still in progress. Proto is "udp" or "tcp".
func openSocket(cfg *Config, proto string) (fd int, err error) {
	family, typ := unix.AF_INET, unix.SOCK_DGRAM
	if cfg.ipv6() {
		family = unix.AF_INET6
	}
	if proto == "tcp" {
		typ = unix.SOCK_STREAM
	}
	fd, errno := sys.Socket(family, typ)
	if errno != 0 {
		return -1, failed("socket", errno)
	}
	if err := configure(fd, cfg, proto); err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

func configure(fd int, cfg *Config, proto string) error {
	if err := setOptions(fd, cfg, proto); err != nil {
		return err
	}
	if cfg.Control != nil {
		if err := cfg.Control(cfg.network(proto), uintptr(fd)); err != nil {
			return err
		}
	}
	local := cfg.Local
	if !local.IsValid() {
		local = cfg.wildcard()
	}
	if cfg.bound() || !cfg.Remote.IsValid() {
		if err := unix.Bind(fd, sockaddr(cfg, local)); err != nil {
			return failed("bind", err)
		}
	}
	if !cfg.Remote.IsValid() {
		return nil
	}
	// A stream's connect goes on by itself, after a signal too (POSIX connect).
	err := unix.Connect(fd, sockaddr(cfg, cfg.Remote))
	if err == unix.EINPROGRESS || err == unix.EINTR {
		err = nil
	}
	if err != nil {
		return failed("connect", err)
	}
	return nil
}

// setOptions sets what every socket of its kind gets, and no more: a socket may live for one query.
func setOptions(fd int, cfg *Config, proto string) error {
	if proto == "tcp" {
		if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
			return failed("setsockopt", err)
		}
	} else if err := wantReports(fd, cfg); err != nil {
		return err
	}
	if cfg.ipv6() && !cfg.Remote.IsValid() {
		if err := unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_V6ONLY, 1); err != nil {
			return failed("setsockopt", err)
		}
	}
	if err := setBusyPoll(fd, cfg.BusyPoll); err != nil {
		return err
	}
	return setBuffers(fd, cfg)
}

// setBuffers asks for the kernel buffers of cfg.
func setBuffers(fd int, cfg *Config) error {
	if cfg.RecvBuffer > 0 {
		if err := setBuffer(fd, unix.SO_RCVBUF, cfg.RecvBuffer); err != nil {
			return failed("setsockopt", err)
		}
	}
	if cfg.SendBuffer > 0 {
		if err := setBuffer(fd, unix.SO_SNDBUF, cfg.SendBuffer); err != nil {
			return failed("setsockopt", err)
		}
	}
	return nil
}

// askKernel fills in what the kernel has granted and counted.
func askKernel(fd int, s *Stats) {
	s.RecvBuffer, _ = unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF)
	s.SendBuffer, _ = unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF)
	countDrops(fd, s)
}

func sockaddr(cfg *Config, ap netip.AddrPort) unix.Sockaddr {
	addr := ap.Addr().Unmap()
	if addr.Is4() {
		return &unix.SockaddrInet4{Port: int(ap.Port()), Addr: addr.As4()}
	}
	return &unix.SockaddrInet6{Port: int(ap.Port()), Addr: addr.As16(), ZoneId: cfg.Arena.zones.scope(ap)}
}

// addrPort is the address in sa, invalid if sa is neither IPv4 nor IPv6.
func addrPort(a *Arena, sa unix.Sockaddr) netip.AddrPort {
	switch sa := sa.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port))
	case *unix.SockaddrInet6:
		return a.zones.with(netip.AddrPortFrom(netip.AddrFrom16(sa.Addr), uint16(sa.Port)), sa.ZoneId)
	}
	return netip.AddrPort{}
}

// lasting says that an error of a receive call is the socket's own, not a report of the network about a datagram.
func lasting(errno syscall.Errno) bool {
	switch errno {
	case unix.EBADF, unix.ENOTSOCK, unix.EFAULT, unix.EINVAL, unix.ENOSYS, unix.EOPNOTSUPP, unix.ENOTCONN:
		return true
	}
	return false
}
