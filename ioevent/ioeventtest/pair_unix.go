//go:build unix

package ioeventtest

import (
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A pair is two connected stream sockets, of which fd is watched.
type pair struct {
	t    *testing.T
	fd   int
	peer int // -1: closed
}

func newPair(t *testing.T) *pair {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatalf("socketpair: %v", err)
	}
	for _, fd := range fds {
		unix.CloseOnExec(fd)
		if err := unix.SetNonblock(fd, true); err != nil {
			t.Fatalf("fcntl: %v", err)
		}
	}
	p := &pair{t, fds[0], fds[1]}
	t.Cleanup(func() {
		_ = unix.Close(p.fd)
		p.hangUp()
	})
	return p
}

// send makes fd readable.
func (p *pair) send() {
	p.t.Helper()
	if _, err := unix.Write(p.peer, []byte{1}); err != nil {
		p.t.Fatalf("write: %v", err)
	}
}

// drain reads fd until there is no more.
func (p *pair) drain() { drain(p.fd) }

// receive reads one octet from fd, if there is one, and returns how many.
func (p *pair) receive() int {
	var buf [1]byte
	n, _ := unix.Read(p.fd, buf[:])
	return max(n, 0)
}

// fill writes to fd until there is no room.
func (p *pair) fill() {
	buf := make([]byte, 4096)
	for {
		if _, err := unix.Write(p.fd, buf); err != nil {
			return
		}
	}
}

// makeRoom reads what fill wrote.
func (p *pair) makeRoom() { drain(p.peer) }

func drain(fd int) {
	buf := make([]byte, 4096)
	for {
		if n, err := unix.Read(fd, buf); n <= 0 || err != nil {
			return
		}
	}
}

// hangUp closes the peer.
func (p *pair) hangUp() {
	if p.peer >= 0 {
		_ = unix.Close(p.peer)
	}
	p.peer = -1
}

// refusedSocket returns a TCP socket whose connect, to a loopback port where nobody listens, is about to fail.
func refusedSocket(t *testing.T) int {
	t.Helper()
	bound := tcpSocket(t)
	local := &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}
	if err := unix.Bind(bound, local); err != nil { // keeps the port, and does not listen
		t.Fatalf("bind: %v", err)
	}
	nobody, err := unix.Getsockname(bound)
	if err != nil {
		t.Fatalf("getsockname: %v", err)
	}
	fd := tcpSocket(t)
	if err := unix.Connect(fd, nobody); err != nil && err != syscall.EINPROGRESS && err != syscall.ECONNREFUSED {
		t.Fatalf("connect: %v", err)
	}
	return fd
}

func tcpSocket(t *testing.T) int {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatalf("socket: %v", err)
	}
	unix.CloseOnExec(fd)
	t.Cleanup(func() { _ = unix.Close(fd) })
	if err := unix.SetNonblock(fd, true); err != nil {
		t.Fatalf("fcntl: %v", err)
	}
	return fd
}
