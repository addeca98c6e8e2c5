package machine

import (
	"encoding/binary"
	"errors"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// wantInterface has each datagram come with the number of its interface.
func wantInterface(c syscall.RawConn, ip4 bool) error {
	level, option := unix.IPPROTO_IPV6, unix.IPV6_RECVPKTINFO
	if ip4 {
		level, option = unix.IPPROTO_IP, unix.IP_PKTINFO
	}
	var err error
	if e := c.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), level, option, 1) }); e != nil {
		return e
	}
	return os.NewSyscallError("setsockopt", err)
}

// pathOf is that of the last datagram received, with its control messages.
func pathOf(c syscall.RawConn, control []byte) (Path, error) {
	index, err := interfaceIndex(control)
	if err != nil {
		return Path{}, err
	}
	i, err := net.InterfaceByIndex(index)
	if err != nil {
		return Path{}, err
	}
	p := Path{Interface: i.Name, Loopback: i.Flags&net.FlagLoopback != 0}
	if e := c.Control(func(fd uintptr) { p.NAPI, err = unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_INCOMING_NAPI_ID) }); e != nil {
		return Path{}, e
	}
	return p, os.NewSyscallError("getsockopt", err)
}

// interfaceIndex looks for a struct in_pktinfo (ip(7)), which begins with it, or a struct in6_pktinfo (ipv6(7)), which ends with it.
func interfaceIndex(control []byte) (int, error) {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return 0, err
	}
	for _, m := range messages {
		switch {
		case m.Header.Level == unix.IPPROTO_IP && m.Header.Type == unix.IP_PKTINFO && len(m.Data) >= 4:
			return int(binary.NativeEndian.Uint32(m.Data)), nil
		case m.Header.Level == unix.IPPROTO_IPV6 && m.Header.Type == unix.IPV6_PKTINFO && len(m.Data) >= 20:
			return int(binary.NativeEndian.Uint32(m.Data[16:])), nil
		}
	}
	return 0, errors.New("the kernel did not say by which interface the reply came")
}
