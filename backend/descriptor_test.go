//go:build unix

package backend_test

import (
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/require"
	"golang.org/x/sys/unix"
)

// described calls test for every backend whose sockets have a descriptor.
func described(t *testing.T, test func(t *testing.T, b backend.Backend)) {
	for _, b := range backend.List() {
		if only := require.Backend(); b.Name == "net" || only != "" && only != b.Name {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			if err := b.Probe(); err != nil {
				require.Skip(t, "%v", err)
			}
			test(t, b)
		})
	}
}

func TestFlags(t *testing.T) {
	described(t, func(t *testing.T, b backend.Backend) {
		s, err := b.Open(backend.Config{Local: loopback})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ln, err := net.Listen("tcp", loopback.String())
		if err != nil {
			t.Fatal(err)
		}
		defer ln.Close()
		st, err := b.Dial(backend.Config{Remote: ln.Addr().(*net.TCPAddr).AddrPort()})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		for kind, fd := range map[string]int{"socket": s.FD(), "stream": st.FD()} {
			if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
				t.Errorf("%s: flags %#x, %v, want FD_CLOEXEC", kind, flags, err)
			}
			if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0); err != nil || flags&unix.O_NONBLOCK == 0 {
				t.Errorf("%s: status %#x, %v, want O_NONBLOCK", kind, flags, err)
			}
		}
		if nodelay, err := unix.GetsockoptInt(st.FD(), unix.IPPROTO_TCP, unix.TCP_NODELAY); nodelay == 0 || err != nil {
			t.Errorf("TCP_NODELAY is %d, %v, want it set", nodelay, err)
		}
	})
}

// TestDescriptorReuse closes a socket that another goroutine sends on, and takes the number for something else at once: no octet may
// arrive there (CVE-2013-7423).
func TestDescriptorReuse(t *testing.T) {
	described(t, func(t *testing.T, b backend.Backend) {
		sink, err := b.Open(backend.Config{Local: loopback})
		if err != nil {
			t.Fatal(err)
		}
		defer sink.Close()
		for range 300 {
			s, err := b.Open(backend.Config{Remote: sink.LocalAddr()})
			if err != nil {
				t.Fatal(err)
			}
			var done sync.WaitGroup
			started := make(chan struct{})
			done.Go(func() {
				close(started)
				for !errors.Is(err, net.ErrClosed) {
					_, err = s.Send([]backend.Datagram{{Data: []byte("query")}})
				}
			})
			<-started
			time.Sleep(20 * time.Microsecond)
			s.Close()
			stray := takers(t)
			done.Wait()
			stray()
		}
	})
}

// takers opens socket pairs, which take the lowest free numbers; the function that it returns looks for octets sent on one, and closes them.
func takers(t *testing.T) (stray func()) {
	t.Helper()
	var pairs [4][2]int
	for i := range pairs {
		var err error
		if pairs[i], err = unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		buf := make([]byte, 64)
		for _, pair := range pairs {
			for _, fd := range pair {
				unix.SetNonblock(fd, true)
				if n, _, err := unix.Recvfrom(fd, buf, 0); err == nil {
					t.Errorf("descriptor %d received %q", fd, buf[:n])
				}
				unix.Close(fd)
			}
		}
	}
}

// TestWakes has one query outstanding and waits as a poller does: recvmmsg(2) with two buffers needs no receive that finds nothing, recvfrom(2)
// one a wake, io_uring(7) no receive call at all.
func TestWakes(t *testing.T) {
	described(t, func(t *testing.T, b backend.Backend) {
		to, err := b.Open(backend.Config{Local: loopback})
		if err != nil {
			t.Fatal(err)
		}
		defer to.Close()
		from, err := b.Open(backend.Config{Remote: to.LocalAddr()})
		if err != nil {
			t.Fatal(err)
		}
		defer from.Close()
		const wakes = 50
		batch := []backend.Datagram{{Buf: make([]byte, 64)}, {Buf: make([]byte, 64)}}
		for range wakes {
			if n, err := from.Send([]backend.Datagram{{Data: []byte("reply")}}); n != 1 || err != nil {
				t.Fatalf("Send = %d, %v, want 1, nil", n, err)
			}
			readable := []unix.PollFd{{Fd: int32(to.FD()), Events: unix.POLLIN}}
			if n, err := unix.Poll(readable, 5000); n != 1 || err != nil {
				t.Fatalf("poll = %d, %v, want 1, nil", n, err)
			}
			if n, dry, err := to.Recv(batch); n != 1 || !dry || err != nil {
				t.Fatalf("Recv = %d, %v, %v, want 1, true, nil", n, dry, err)
			}
		}
		want := backend.Stats{Syscalls: 2 * wakes, EmptyReceives: wakes}
		switch b.Name {
		case "gso", "recvmmsg":
			want = backend.Stats{Syscalls: wakes}
		case "uring":
			want = backend.Stats{Syscalls: 1} // that has the kernel receive
		}
		if st := to.Stats(); st.Syscalls != want.Syscalls || st.EmptyReceives != want.EmptyReceives {
			t.Errorf("%d receives, %d empty, for %d wakes, want %d, %d", st.Syscalls, st.EmptyReceives, wakes, want.Syscalls, want.EmptyReceives)
		}
	})
}
