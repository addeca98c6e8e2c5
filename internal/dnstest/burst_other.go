//go:build !linux

package dnstest

import (
	"net"
	"net/netip"
)

// burst sends datagrams of size octets each, which lie end to end.
func burst(c *net.UDPConn, octets []byte, size int, to netip.AddrPort) error {
	return sendEach(c, octets, size, to)
}

// growReceiveBuffer asks for a receive buffer of n octets.
func growReceiveBuffer(c *net.UDPConn, n int) { c.SetReadBuffer(n) }
