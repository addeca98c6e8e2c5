package backend

import (
	"net"
	"net/netip"
	"strconv"
)

// zones remembers the names of scope ids (RFC 4007 section 11) so that the interfaces are asked once for each.
type zones struct {
	names  map[uint32]netip.Addr // an address with the zone: it keeps netip's copy of the name alive
	scopes map[string]uint32
}

// with returns ap with the zone that scope stands for; 0 stands for none. A scope without an interface is written as a number.
func (z *zones) with(ap netip.AddrPort, scope uint32) netip.AddrPort {
	if scope == 0 {
		return ap
	}
	named, ok := z.names[scope]
	if !ok {
		zone := strconv.FormatUint(uint64(scope), 10)
		if ifi, err := net.InterfaceByIndex(int(scope)); err == nil {
			zone = ifi.Name
		}
		named = netip.IPv6LinkLocalAllNodes().WithZone(zone)
		if z.names == nil {
			z.names = make(map[uint32]netip.Addr)
		}
		z.names[scope] = named
	}
	return netip.AddrPortFrom(ap.Addr().WithZone(named.Zone()), ap.Port())
}

// scope returns the scope id that ap's zone, a name or a number, stands for; 0 for none and for an unknown name.
func (z *zones) scope(ap netip.AddrPort) uint32 {
	zone := ap.Addr().Zone()
	if zone == "" {
		return 0
	}
	scope, ok := z.scopes[zone]
	if !ok {
		scope = scopeOf(zone)
		if z.scopes == nil {
			z.scopes = make(map[string]uint32)
		}
		z.scopes[zone] = scope
	}
	return scope
}

func scopeOf(zone string) uint32 {
	if ifi, err := net.InterfaceByName(zone); err == nil {
		return uint32(ifi.Index)
	}
	n, err := strconv.ParseUint(zone, 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}
