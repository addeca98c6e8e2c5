//go:build unix

package backend

import (
	"errors"
	"net/netip"
	"syscall"
	"testing"

	"github.com/dnsq/dnsq/internal/sys"
)

func openPlain(t *testing.T) *plainSocket {
	t.Helper()
	s, err := openRecvfrom(Config{Local: netip.MustParseAddrPort("127.0.0.1:0")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.(*plainSocket)
}

// next returns the next error number of a script: 0 when it is over.
func next(script *[]syscall.Errno) (errno syscall.Errno) {
	if len(*script) > 0 {
		errno, *script = (*script)[0], (*script)[1:]
	}
	return errno
}

func TestRecvfromResults(t *testing.T) {
	const again, intr, refused, ok = syscall.EAGAIN, syscall.EINTR, syscall.ECONNREFUSED, syscall.Errno(0)
	for _, tt := range []struct {
		name   string
		script []syscall.Errno
		n      int
		dry    bool
		fails  bool
	}{
		{"batch full", []syscall.Errno{ok, ok, ok, ok}, 4, false, false},
		{"until EAGAIN", []syscall.Errno{ok, ok, again}, 2, true, false},
		{"nothing", []syscall.Errno{again}, 0, true, false},
		{"interrupted", []syscall.Errno{intr, ok, intr, again}, 1, true, false},
		{"an error between datagrams", []syscall.Errno{ok, refused, ok, again}, 2, true, false},
		{"errors without end", []syscall.Errno{ok, refused, refused}, 1, false, false},
		{"broken", []syscall.Errno{syscall.EBADF}, 0, true, true},
		{"broken behind a datagram", []syscall.Errno{ok, syscall.EBADF}, 1, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := openPlain(t)
			s.recvfrom = func(int, []byte, *sys.Sockaddr) (int, syscall.Errno) { return 0, next(&tt.script) }
			n, dry, err := s.Recv(make([]Datagram, 4))
			if n != tt.n || dry != tt.dry || (err != nil) != tt.fails {
				t.Errorf("Recv = %d, %v, %v, want %d, %v, error %v", n, dry, err, tt.n, tt.dry, tt.fails)
			}
			if len(tt.script) != 0 {
				t.Errorf("%d calls were not made", len(tt.script))
			}
		})
	}
}

func TestSendtoResults(t *testing.T) {
	const again, intr, refused, ok = syscall.EAGAIN, syscall.EINTR, syscall.ECONNREFUSED, syscall.Errno(0)
	for _, tt := range []struct {
		name   string
		script []syscall.Errno
		n      int
		err    error
	}{
		{"all", []syscall.Errno{ok, ok, ok}, 3, nil},
		{"interrupted", []syscall.Errno{ok, intr, ok, ok}, 3, nil},
		{"full", []syscall.Errno{ok, again}, 1, nil},
		{"another's error", []syscall.Errno{ok, refused, ok, ok}, 3, nil},
		{"its own error", []syscall.Errno{ok, refused, refused}, 1, ErrRefused},
		{"too big", []syscall.Errno{syscall.EMSGSIZE, syscall.EMSGSIZE}, 0, ErrTooBig},
		{"no buffers", []syscall.Errno{ok, syscall.ENOBUFS}, 1, ErrNoBuffers},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := openPlain(t)
			s.sendto = func(int, []byte, *sys.Sockaddr, uint32) (int, syscall.Errno) { return 0, next(&tt.script) }
			n, err := s.Send(make([]Datagram, 3))
			if n != tt.n || !errors.Is(err, tt.err) {
				t.Errorf("Send = %d, %v, want %d, %v", n, err, tt.n, tt.err)
			}
			if len(tt.script) != 0 {
				t.Errorf("%d calls were not made", len(tt.script))
			}
		})
	}
}
