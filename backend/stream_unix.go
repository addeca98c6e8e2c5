//go:build unix

package backend

import (
	"io"
	"net"
	"net/netip"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// tcpStream is a TCP connection on a descriptor.
type tcpStream struct {
	descriptor
	arena *Arena
	local netip.AddrPort // valid once connected
	err   error          // why the dial failed
}

func dialTCP(cfg Config) (Stream, error) {
	if err := cfg.normalize(); err != nil {
		return nil, err
	}
	if !cfg.Remote.IsValid() {
		return nil, errNoRemote
	}
	s := &tcpStream{arena: cfg.Arena}
	var err error
	if s.fd, err = openSocket(&cfg, "tcp"); err != nil {
		return nil, err
	}
	return s, nil
}

// connected says whether the dial has ended well; a dial that failed is the error.
func (s *tcpStream) connected() (bool, error) {
	if s.local.IsValid() || s.err != nil {
		return s.err == nil, s.err
	}
	errno, err := unix.GetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err == nil && errno != 0 {
		err = unix.Errno(errno)
	}
	if err != nil {
		s.err = failed("connect", err)
		return false, s.err
	}
	peer, err := unix.Getpeername(s.fd)
	if err != nil { // ENOTCONN: not yet
		return false, nil
	}
	local, err := unix.Getsockname(s.fd)
	if err != nil {
		return false, failed("getsockname", err)
	}
	s.local = addrPort(s.arena, local)
	if s.local == addrPort(s.arena, peer) {
		s.local, s.err = netip.AddrPort{}, errSelf
	}
	return s.err == nil, s.err
}

func (s *tcpStream) Read(p []byte) (n int, err error) {
	if !s.acquire() {
		return 0, net.ErrClosed
	}
	defer s.release()
	if ok, err := s.connected(); !ok || len(p) == 0 {
		return 0, err
	}
	for {
		n, errno := sys.Recvfrom(s.fd, p, nil)
		switch {
		case errno == unix.EINTR:
			continue
		case errno == unix.EAGAIN:
			return 0, nil
		case errno != 0:
			return 0, failed("read", errno)
		case n == 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

func (s *tcpStream) Write(p []byte) (n int, err error) {
	if !s.acquire() {
		return 0, net.ErrClosed
	}
	defer s.release()
	if ok, err := s.connected(); !ok {
		return 0, err
	}
	for n < len(p) {
		sent, errno := sys.Write(s.fd, p[n:])
		n += sent
		switch {
		case errno == unix.EAGAIN:
			return n, nil
		case errno != 0 && errno != unix.EINTR:
			return n, failed("write", errno)
		}
	}
	return n, nil
}

// LocalAddr is the address the connection leaves from, invalid before it is made.
func (s *tcpStream) LocalAddr() netip.AddrPort {
	if s.acquire() {
		defer s.release()
		_, _ = s.connected()
	}
	return s.local
}
