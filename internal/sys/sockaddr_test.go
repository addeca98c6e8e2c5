//go:build unix

package sys

import (
	"net/netip"
	"testing"
)

func TestSockaddr(t *testing.T) {
	var s Sockaddr // one after another, as sockets use it
	for _, tt := range []struct {
		in    string
		scope uint32
		out   string
		left  uint32
	}{
		{"192.0.2.1:53", 0, "192.0.2.1:53", 0},
		{"[2001:db8::1]:65535", 0, "[2001:db8::1]:65535", 0},
		{"[fe80::1]:53", 3, "[fe80::1]:53", 3},
		{"192.0.2.1:0", 3, "192.0.2.1:0", 0},
		{"[::ffff:192.0.2.1]:53", 0, "192.0.2.1:53", 0},
	} {
		size := s.Set(netip.MustParseAddrPort(tt.in), tt.scope)
		ap, scope := s.AddrPort()
		if ap != netip.MustParseAddrPort(tt.out) || scope != tt.left || size == 0 {
			t.Errorf("%s scope %d came out as %v scope %d, size %d, want %s scope %d", tt.in, tt.scope, ap, scope, size, tt.out, tt.left)
		}
	}
	if size := s.Set(netip.AddrPort{}, 0); size != 0 {
		t.Errorf("an invalid address has size %d, want 0", size)
	}
}
