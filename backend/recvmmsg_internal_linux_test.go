package backend

import (
	"errors"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A step is what one system call of a script does.
type step struct {
	n     int
	errno syscall.Errno
}

// script returns a call that takes one step after another, and how many were taken.
func script(t *testing.T, steps []step) (call func(int, []unix.Mmsghdr) (int, syscall.Errno), taken *int) {
	taken = new(int)
	return func(_ int, msgs []unix.Mmsghdr) (int, syscall.Errno) {
		if *taken == len(steps) {
			t.Fatalf("call %d, want %d", *taken+1, len(steps))
		}
		s := steps[*taken]
		*taken++
		for i := range s.n {
			msgs[i].Len, msgs[i].Hdr.Controllen = uint32(i), 0
		}
		return s.n, s.errno
	}, taken
}

func openScripted(t *testing.T) *mmsgSocket {
	t.Helper()
	s, err := openRecvmmsg(Config{Local: netip.MustParseAddrPort("127.0.0.1:0")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.(*mmsgSocket)
}

func TestSendmmsgResults(t *testing.T) {
	for _, tt := range []struct {
		name    string
		steps   []step
		n       int
		err     error
		pending bool
	}{
		{"all", []step{{5, 0}}, 5, nil, false},
		{"interrupted", []step{{0, unix.EINTR}, {0, unix.EINTR}, {5, 0}}, 5, nil, false},
		{"short, then the rest", []step{{2, 0}, {3, 0}}, 5, nil, false},
		{"short, then full", []step{{2, 0}, {0, unix.EAGAIN}}, 2, nil, false},
		{"full", []step{{0, unix.EAGAIN}}, 0, nil, false},
		{"short, then an error of another's", []step{{2, 0}, {0, unix.ECONNREFUSED}, {3, 0}}, 5, nil, true},
		{"errors of others' at two datagrams", []step{{0, unix.ECONNREFUSED}, {1, 0}, {0, unix.EHOSTUNREACH}, {4, 0}}, 5, nil, true},
		{"short, then its own error", []step{{2, 0}, {0, unix.EHOSTUNREACH}, {0, unix.EHOSTUNREACH}}, 2, ErrUnreachable, true},
		{"another's, then its own", []step{{0, unix.ECONNREFUSED}, {0, unix.EMSGSIZE}}, 0, ErrTooBig, true},
		{"too big", []step{{1, 0}, {0, unix.EMSGSIZE}, {0, unix.EMSGSIZE}}, 1, ErrTooBig, true},
		{"no buffers", []step{{1, 0}, {0, unix.ENOBUFS}}, 1, ErrNoBuffers, false},
		{"a firewall", []step{{0, unix.EPERM}, {0, unix.EPERM}}, 0, ErrDenied, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := openScripted(t)
			var taken *int
			s.sendmmsg, taken = script(t, tt.steps)
			n, err := s.Send(make([]Datagram, 5))
			if n != tt.n || !errors.Is(err, tt.err) {
				t.Errorf("Send = %d, %v, want %d, %v", n, err, tt.n, tt.err)
			}
			if *taken != len(tt.steps) || s.stats.Syscalls != uint64(len(tt.steps)) {
				t.Errorf("%d calls, %d counted, want %d", *taken, s.stats.Syscalls, len(tt.steps))
			}
			if s.pending != tt.pending {
				t.Errorf("error queue pending: %v, want %v", s.pending, tt.pending)
			}
		})
	}
}

func TestRecvmmsgResults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []step
		n     int
		dry   bool
		fails bool
		empty uint64 // receives that find nothing, those of the error queue among them
	}{
		{"full batch", []step{{4, 0}}, 4, false, false, 0},
		{"short batch", []step{{3, 0}}, 3, true, false, 0},
		{"interrupted", []step{{0, unix.EINTR}, {1, 0}}, 1, true, false, 0},
		{"nothing", []step{{0, unix.EAGAIN}}, 0, true, false, 2},
		{"a pending error", []step{{0, unix.ECONNREFUSED}, {2, 0}}, 2, true, false, 1},
		{"pending errors without end", []step{{0, unix.ECONNREFUSED}, {0, unix.ECONNREFUSED}}, 0, false, false, 1},
		{"out of memory for now", []step{{0, unix.ENOMEM}, {1, 0}}, 1, true, false, 1},
		{"broken", []step{{0, unix.ENOTSOCK}}, 0, true, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := openScripted(t)
			s.recvmmsg, _ = script(t, tt.steps)
			n, dry, err := s.Recv(make([]Datagram, 4))
			if n != tt.n || dry != tt.dry || (err != nil) != tt.fails {
				t.Errorf("Recv = %d, %v, %v, want %d, %v, error %v", n, dry, err, tt.n, tt.dry, tt.fails)
			}
			if s.stats.EmptyReceives != tt.empty {
				t.Errorf("%d empty receives, want %d", s.stats.EmptyReceives, tt.empty)
			}
		})
	}
}

// TestForgottenError has somebody else take the pending error: the report is still queued, and would keep epoll awake for ever.
func TestForgottenError(t *testing.T) {
	dead := openScripted(t)
	s := openScripted(t)
	to := dead.LocalAddr()
	dead.Close()
	if n, err := s.Send([]Datagram{{Data: []byte("query"), Addr: to}}); n != 1 || err != nil {
		t.Fatalf("Send = %d, %v, want 1, nil", n, err)
	}
	for range 1000 {
		if errno, _ := unix.GetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_ERROR); errno != 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	batch := []Datagram{{Buf: make([]byte, 64)}, {Buf: make([]byte, 64)}}
	if n, dry, err := s.Recv(batch); n != 1 || !dry || err != nil || batch[0].Addr != to {
		t.Errorf("Recv = %d, %v, %v about %v, want 1, true, nil about %v", n, dry, err, batch[0].Addr, to)
	}
}

// TestDropsBesideData has the kernel's count of drops come with the datagrams, without a call of Stats.
func TestDropsBesideData(t *testing.T) {
	to, err := openRecvmmsg(Config{Local: netip.MustParseAddrPort("127.0.0.1:0"), RecvBuffer: 4096})
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	from, err := openRecvmmsg(Config{Remote: to.LocalAddr()})
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	batch := make([]Datagram, 100)
	for i := range batch {
		batch[i] = Datagram{Buf: make([]byte, 16), Data: make([]byte, 500)}
	}
	for range 2 { // a count comes with what was queued behind the drop
		if _, err := from.Send(batch); err != nil {
			t.Fatal(err)
		}
		for dry := false; !dry && err == nil; {
			_, dry, err = to.Recv(batch[:8])
		}
	}
	if to.(*mmsgSocket).stats.Dropped == 0 {
		t.Error("no drops were counted")
	}
}
