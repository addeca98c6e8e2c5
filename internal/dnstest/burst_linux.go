package dnstest

import (
	"net"
	"net/netip"

	"golang.org/x/sys/unix"
)

// burst sends datagrams of size octets each, which lie end to end, in one
// system call (udp(7), UDP_SEGMENT), or one by one where the kernel is older
// than that (4.18).
func burst(c *net.UDPConn, octets []byte, size int, to netip.AddrPort) error {
	if setOption(c, unix.IPPROTO_UDP, unix.UDP_SEGMENT, size) != nil {
		return sendEach(c, octets, size, to)
	}
	_, err := c.WriteToUDPAddrPort(octets, to)
	return err
}

// growReceiveBuffer asks for a receive buffer of n octets, beyond the system's
// limit where that is allowed.
func growReceiveBuffer(c *net.UDPConn, n int) {
	if setOption(c, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, n) != nil {
		c.SetReadBuffer(n)
	}
}

func setOption(c *net.UDPConn, level, option, value int) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), level, option, value)
	}); err != nil {
		return err
	}
	return failed
}
