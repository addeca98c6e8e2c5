package dnstest

import (
	"net"
	"net/netip"
	"testing"
)

// Nobody returns an address of 127.0.0.1 where nobody listens until the test
// ends: UDP gets an ICMP error, TCP is refused.
func Nobody(tb testing.TB) netip.AddrPort {
	tb.Helper()
	// A connected socket keeps the port from others and takes datagrams of its
	// one peer only: for all the rest the port is unreachable.
	c, err := net.DialUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9})
	if err != nil {
		tb.Fatalf("dnstest: %v", err)
	}
	tb.Cleanup(func() { c.Close() })
	return addrPort(c.LocalAddr())
}
