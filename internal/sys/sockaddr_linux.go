package sys

import (
	"encoding/binary"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// SockaddrSize is the room a Sockaddr gives the kernel, in octets.
const SockaddrSize = unix.SizeofSockaddrInet6

// A Sockaddr is an IPv4 or IPv6 socket address as the kernel reads and writes it (ip(7), ipv6(7)).
type Sockaddr struct{ raw unix.RawSockaddrInet6 }

// Set encodes ap, an IPv4-mapped address as IPv4, with scope as the scope id of an IPv6 address. It returns the octets used; 0
// if ap is invalid, which the kernel answers with EDESTADDRREQ.
func (s *Sockaddr) Set(ap netip.AddrPort, scope uint32) (size uint32) {
	addr := ap.Addr().Unmap()
	switch {
	case addr.Is4():
		v4 := (*unix.RawSockaddrInet4)(unsafe.Pointer(&s.raw))
		v4.Family, v4.Addr = unix.AF_INET, addr.As4()
		size = unix.SizeofSockaddrInet4
	case addr.Is6():
		s.raw = unix.RawSockaddrInet6{Family: unix.AF_INET6, Addr: addr.As16(), Scope_id: scope}
		size = unix.SizeofSockaddrInet6
	}
	binary.BigEndian.PutUint16(s.port(), ap.Port())
	return size
}

// AddrPort decodes the address; it is invalid where the kernel wrote neither IPv4 nor IPv6. The zone is left out: scope is its number.
func (s *Sockaddr) AddrPort() (ap netip.AddrPort, scope uint32) {
	port := binary.BigEndian.Uint16(s.port())
	switch s.raw.Family {
	case unix.AF_INET:
		v4 := (*unix.RawSockaddrInet4)(unsafe.Pointer(&s.raw))
		return netip.AddrPortFrom(netip.AddrFrom4(v4.Addr), port), 0
	case unix.AF_INET6:
		return netip.AddrPortFrom(netip.AddrFrom16(s.raw.Addr), port), s.raw.Scope_id
	}
	return netip.AddrPort{}, 0
}

// Name returns the address as a msghdr names it.
func (s *Sockaddr) Name() *byte { return (*byte)(unsafe.Pointer(&s.raw)) }

// port is at the same place in both families and in network order.
func (s *Sockaddr) port() []byte { return (*[2]byte)(unsafe.Pointer(&s.raw.Port))[:] }
