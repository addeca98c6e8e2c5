//go:build unix && !linux

package sys

import (
	"net/netip"

	"golang.org/x/sys/unix"
)

// A Sockaddr is an IPv4 or IPv6 socket address in the form that x/sys/unix takes, kept so that sending allocates nothing.
type Sockaddr struct {
	v4  unix.SockaddrInet4
	v6  unix.SockaddrInet6
	any unix.Sockaddr // &v4, &v6 or nil
}

// Set encodes ap, an IPv4-mapped address as IPv4, with scope as the scope id of an IPv6 address. It returns 0 if ap is invalid.
func (s *Sockaddr) Set(ap netip.AddrPort, scope uint32) (size uint32) {
	addr := ap.Addr().Unmap()
	switch {
	case addr.Is4():
		s.v4.Port, s.v4.Addr = int(ap.Port()), addr.As4()
		s.any = &s.v4
		return unix.SizeofSockaddrInet4
	case addr.Is6():
		s.v6.Port, s.v6.Addr, s.v6.ZoneId = int(ap.Port()), addr.As16(), scope
		s.any = &s.v6
		return unix.SizeofSockaddrInet6
	}
	s.any = nil
	return 0
}

// AddrPort decodes the address; it is invalid where the kernel wrote neither IPv4 nor IPv6. The zone is left out: scope is its number.
func (s *Sockaddr) AddrPort() (ap netip.AddrPort, scope uint32) {
	switch sa := s.any.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port)), 0
	case *unix.SockaddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(sa.Addr), uint16(sa.Port)), sa.ZoneId
	}
	return netip.AddrPort{}, 0
}
