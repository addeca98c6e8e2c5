package backend

import (
	"errors"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

var realUring = uring{sys.OpenRing, (*sys.Ring).OpenBuffers}

func needUring(t *testing.T) {
	t.Helper()
	if err := realUring.probe(); err != nil {
		require.Skip(t, "%v", err)
	}
}

// refusing opens rings only to fail as an older or stricter system does.
func refusing(ring, buffers syscall.Errno, receive bool) uring {
	return uring{
		openRing: func(submissions, completions int) (*sys.Ring, syscall.Errno) {
			if ring != 0 {
				return nil, ring
			}
			r, errno := sys.OpenRing(submissions, completions)
			if errno == 0 && receive {
				r.Next().Op = 255 // there will never be so many: EINVAL, as a kernel without multishot says
				r.Submit()
			}
			return r, errno
		},
		openBuffers: func(r *sys.Ring, count, payload, control int) (*sys.Buffers, syscall.Errno) {
			if buffers != 0 {
				return nil, buffers
			}
			return r.OpenBuffers(count, payload, control)
		},
	}
}

// TestUringRefused injects what systems say that have no io_uring, not enough of it, or forbid it: the next backend is used.
func TestUringRefused(t *testing.T) {
	needUring(t)
	for _, tt := range []struct {
		name      string
		u         uring
		errno     syscall.Errno
		feature   string
		minKernel string
	}{
		{"not compiled in", refusing(unix.ENOSYS, 0, false), unix.ENOSYS, "io_uring_setup(2)", "5.1"},
		{"forbidden", refusing(unix.EPERM, 0, false), unix.EPERM, "io_uring(7)", ""},
		{"no descriptors", refusing(unix.EMFILE, 0, false), unix.EMFILE, "io_uring(7)", ""},
		{"no buffer rings", refusing(0, unix.EINVAL, false), unix.EINVAL, "IORING_REGISTER_PBUF_RING", "5.19"},
		{"no multishot receive", refusing(0, 0, true), unix.EINVAL, "multishot recvmsg(2)", "6.0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := []Backend{tt.u.backend(), {"recvfrom", probeRecvfrom, openRecvfrom, dialTCP, true}}
			if b, err := named(table, ""); b.Name != "recvfrom" || err != nil {
				t.Errorf("the backend is %q, %v, want recvfrom", b.Name, err)
			}
			_, err := named(table, "uring")
			e, ok := errors.AsType[*UnsupportedError](err)
			if !ok || e.Backend != "uring" || e.Feature != tt.feature || e.MinKernel != tt.minKernel || !errors.Is(err, tt.errno) {
				t.Errorf("got %#v, want %s, %q, %v", e, tt.feature, tt.minKernel, tt.errno)
			}
			if s, err := tt.u.open(Config{}); !errors.Is(err, tt.errno) {
				t.Errorf("Open = %v, %v, want %v", s, err, tt.errno)
			}
		})
	}
}

func TestForbidden(t *testing.T) {
	dir := t.TempDir()
	for content, want := range map[string]string{"0\n": "seccomp", "1\n": "io_uring_disabled is 1", "2\n": "io_uring_disabled is 2"} {
		if err := os.WriteFile(dir+"/sysctl", []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := forbidden(dir + "/sysctl"); !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q in it", content, got, want)
		}
	}
	if got := forbidden(dir + "/none"); !strings.Contains(got, "seccomp") {
		t.Errorf("without a sysctl: %q", got)
	}
}

// openSmall returns a socket with as few buffers as one can have.
func openSmall(t *testing.T) *ringSocket {
	t.Helper()
	s, err := realUring.open(Config{Local: netip.MustParseAddrPort("127.0.0.1:0"), Batch: 4, RecvBuffer: 1 << 20})
	if err != nil {
		panic(err) // t.Fatal is for the test's goroutine alone
	}
	t.Cleanup(func() { s.Close() })
	return s.(*ringSocket)
}

// readable waits until the ring is.
func readable(t *testing.T, s *ringSocket) {
	t.Helper()
	fds := []unix.PollFd{{Fd: int32(s.FD()), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds, 5000)
		if err == unix.EINTR {
			continue
		}
		if n != 1 || err != nil {
			t.Fatalf("poll = %d, %v, want 1", n, err)
		}
		return
	}
}

// TestUringBuffersOut sends more than the buffers hold: the kernel stops, and goes on when they come back.
func TestUringBuffersOut(t *testing.T) {
	needUring(t)
	s := openSmall(t)
	const count = 3*leastRing + 1
	out := make([]Datagram, 1)
	for i := range count {
		out[0] = Datagram{Data: []byte{byte(i)}, Addr: s.LocalAddr()}
		if n, err := s.Send(out); n != 1 || err != nil {
			t.Fatalf("Send = %d, %v, want 1", n, err)
		}
	}
	in := []Datagram{{Buf: make([]byte, 8)}, {Buf: make([]byte, 8)}, {Buf: make([]byte, 8)}}
	for got := 0; got < count; {
		readable(t, s)
		n, dry, err := s.Recv(in)
		if err != nil || n == 0 || dry != (got+n == count) {
			t.Fatalf("Recv = %d, %v, %v, with %d received, want some, dry with the last", n, dry, err, got)
		}
		for _, d := range in[:n] {
			if d.Data[0] != byte(got) {
				t.Fatalf("datagram %d came, want %d", d.Data[0], got)
			}
			got++
		}
	}
}

// TestUringSendsFail has more sends fail than the ring has completions, and nobody receive: each failure is told, and no datagram lost.
func TestUringSendsFail(t *testing.T) {
	needUring(t)
	s := openSmall(t)
	good, bad := Datagram{Data: []byte("x"), Addr: s.LocalAddr()}, Datagram{Data: make([]byte, 65535), Addr: s.LocalAddr()}
	for i := range 100 {
		batch := []Datagram{bad, bad}
		if i < 3 {
			batch = []Datagram{good, bad}
		}
		if n, err := s.Send(batch); n != max(0, min(1, 3-i)) || !errors.Is(err, ErrTooBig) {
			t.Fatalf("Send %d = %d, %v, want %v", i, n, err, ErrTooBig)
		}
	}
	batch := []Datagram{{Buf: make([]byte, 8)}, {Buf: make([]byte, 8)}, {Buf: make([]byte, 8)}, {Buf: make([]byte, 8)}}
	if n, _, err := s.Recv(batch); n != 3 || err != nil {
		t.Errorf("Recv = %d, %v, want 3", n, err)
	}
}

// TestUringThreadExits ends the thread that the kernel receives on.
func TestUringThreadExits(t *testing.T) {
	needUring(t)
	var s *ringSocket
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		runtime.LockOSThread() // and never unlocked: it ends with the goroutine
		s = openSmall(t)
	}()
	<-opened
	time.Sleep(10 * time.Millisecond)
	batch := []Datagram{{Buf: make([]byte, 8)}}
	for range 2 { // the first finds that there is nobody to receive it
		if n, err := s.Send([]Datagram{{Data: []byte("x"), Addr: s.LocalAddr()}}); n != 1 || err != nil {
			t.Fatalf("Send = %d, %v, want 1", n, err)
		}
		readable(t, s)
		if n, dry, err := s.Recv(batch); n != 1 || !dry || err != nil {
			t.Errorf("Recv = %d, %v, %v, want 1, true", n, dry, err)
		}
	}
}

// TestUringSendSeesError has a send meet the error before the receive does, whose thread is too busy: the report makes the ring readable all the
// same.
func TestUringSendSeesError(t *testing.T) {
	needUring(t)
	gone, good := openSmall(t), openSmall(t)
	dead := gone.LocalAddr()
	gone.Close()
	var s *ringSocket
	var stop atomic.Bool
	opened, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		s = openSmall(t)
		close(opened)
		for !stop.Load() { // in user mode
		}
	}()
	<-opened
	for _, to := range []netip.AddrPort{dead, good.LocalAddr()} {
		if n, err := s.Send([]Datagram{{Data: []byte("query"), Addr: to}}); n != 1 || err != nil {
			t.Fatalf("Send = %d, %v, want 1", n, err)
		}
	}
	readable(t, s)
	stop.Store(true)
	<-stopped
	batch := []Datagram{{Buf: make([]byte, 8)}, {Buf: make([]byte, 8)}}
	if n, _, err := s.Recv(batch); n != 1 || err != nil || !errors.Is(batch[0].Err, ErrRefused) || batch[0].Addr != dead {
		t.Errorf("Recv = %d, %v, the first with %v about %v; want 1, with %v about %v", n, err, batch[0].Err, batch[0].Addr, ErrRefused, dead)
	}
}

// TestUringPortIsFree closes a socket that another thread has the kernel receive for, and takes its port at once.
func TestUringPortIsFree(t *testing.T) {
	needUring(t)
	opened, closed := make(chan *ringSocket), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for range closed {
			opened <- openSmall(t)
		}
		close(opened)
	}()
	for range 50 {
		closed <- struct{}{}
		s := <-opened
		addr := s.LocalAddr()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := openRecvfrom(Config{Local: addr})
		for end := time.Now().Add(10 * time.Millisecond); err != nil && time.Now().Before(end); {
			again, err = openRecvfrom(Config{Local: addr}) // the thread drops the file a moment after it says so
		}
		if err != nil {
			t.Fatalf("the port is taken after Close: %v", err)
		}
		again.Close()
	}
	close(closed)
	<-opened
}
