package backend_test

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/require"
	"golang.org/x/sys/unix"
)

// enter puts the test into a network namespace of its own, with a veth pair v0, v1 whose ends are both in it. The namespace goes with the
// thread, which the runtime ends with the test's goroutine, since it stays locked.
func enter(t *testing.T, commands ...string) {
	t.Helper()
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		require.Skip(t, "no network namespace: %v", err)
	}
	setup := []string{"ip link set lo up", "ip link add v0 type veth peer name v1", "ip link set v0 up", "ip link set v1 up"}
	for _, line := range append(setup, commands...) {
		words := strings.Fields(line)
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			require.Skip(t, "%s: %v: %s", line, err, out)
		}
	}
}

// inNamespace runs test for every backend whose sockets have a descriptor; the goroutines of the others are in the namespace they began in.
func inNamespace(t *testing.T, commands []string, test func(t *testing.T, b backend.Backend)) {
	described(t, func(t *testing.T, b backend.Backend) {
		enter(t, commands...)
		test(t, b)
	})
}

func open(t *testing.T, b backend.Backend, cfg backend.Config) backend.Socket {
	t.Helper()
	s, err := b.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// one receives one entry.
func one(t *testing.T, s backend.Socket) backend.Datagram {
	t.Helper()
	batch := []backend.Datagram{{Buf: make([]byte, 2048)}}
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if n, _, err := s.Recv(batch); n > 0 || err != nil {
			if err != nil {
				t.Fatal(err)
			}
			return batch[0]
		}
	}
	t.Fatal("nothing came")
	return backend.Datagram{}
}

// TestZones sends over a link where both ends have link-local addresses: the zone says which interface is meant.
func TestZones(t *testing.T) {
	inNamespace(t, []string{"ip addr add fe80::1/64 dev v0 nodad", "ip addr add fe80::2/64 dev v1 nodad"},
		func(t *testing.T, b backend.Backend) {
			server := open(t, b, backend.Config{Local: netip.MustParseAddrPort("[fe80::2%v1]:0")})
			if zone := server.LocalAddr().Addr().Zone(); zone != "v1" {
				t.Errorf("LocalAddr has zone %q, want v1", zone)
			}
			v0, err := net.InterfaceByName("v0")
			if err != nil {
				t.Fatal(err)
			}
			for _, zone := range []string{"v0", fmt.Sprint(v0.Index)} {
				remote := netip.AddrPortFrom(netip.MustParseAddr("fe80::2%"+zone), server.LocalAddr().Port())
				plain := open(t, b, backend.Config{Local: netip.MustParseAddrPort("[fe80::1%v0]:0")})
				for _, client := range []backend.Socket{plain, open(t, b, backend.Config{Remote: remote})} {
					if n, err := client.Send([]backend.Datagram{{Data: []byte("query"), Addr: remote}}); n != 1 || err != nil {
						t.Fatalf("Send to %v = %d, %v, want 1, nil", remote, n, err)
					}
					d := one(t, server)
					if d.Addr.Addr() != netip.MustParseAddr("fe80::1%v1") {
						t.Errorf("the query came from %v, want fe80::1%%v1", d.Addr)
					}
					if n, err := server.Send([]backend.Datagram{{Data: []byte("reply"), Addr: d.Addr}}); n != 1 || err != nil {
						t.Fatalf("Send to %v = %d, %v, want 1, nil", d.Addr, n, err)
					}
					want := remote // as it was written
					if client == plain {
						want = netip.AddrPortFrom(netip.MustParseAddr("fe80::2%v0"), remote.Port())
					}
					if d := one(t, client); d.Addr != want || d.Err != nil {
						t.Errorf("the reply came from %v, error %v, want %v", d.Addr, d.Err, want)
					}
				}
			}
		})
}

// slow is a link of so many bits a second with a queue of so many octets; the neighbour on it does not exist.
func slow(rate string, limit int) []string {
	return []string{
		"ip addr add 192.0.2.1/24 dev v0",
		"ip neigh add 192.0.2.9 lladdr 02:00:00:00:00:09 dev v0 nud permanent",
		fmt.Sprintf("tc qdisc add dev v0 root tbf rate %s burst 2000 limit %d", rate, limit),
	}
}

var neighbour = netip.MustParseAddrPort("192.0.2.9:53")

// TestFullQueue fills the send buffer: that is what n < len(batch) without an error means, and it goes on when there is room.
func TestFullQueue(t *testing.T) {
	inNamespace(t, slow("4mbit", 1_000_000), func(t *testing.T, b backend.Backend) {
		s := open(t, b, backend.Config{Remote: neighbour, SendBuffer: 4608})
		batch := make([]backend.Datagram, 100)
		for i := range batch {
			batch[i].Data = make([]byte, 1000)
		}
		full := 0
		for end := time.Now().Add(10 * time.Second); len(batch) > 0 && time.Now().Before(end); {
			n, err := s.Send(batch)
			if err != nil {
				t.Fatalf("Send: %v", err)
			}
			if batch = batch[n:]; len(batch) > 0 {
				full++
				room := []unix.PollFd{{Fd: int32(s.FD()), Events: unix.POLLIN | unix.POLLOUT}}
				unix.Poll(room, 1000)
			}
		}
		if full == 0 || full > 200 || len(batch) > 0 {
			t.Errorf("the queue was full %d times, %d datagrams are left; want 1 to 200 times, none", full, len(batch))
		}
	})
}

// TestNoBuffers fills the interface's queue, which an error tells (IP_RECVERR makes Linux tell).
func TestNoBuffers(t *testing.T) {
	inNamespace(t, slow("8kbit", 3000), func(t *testing.T, b backend.Backend) {
		s := open(t, b, backend.Config{Remote: neighbour})
		batch := make([]backend.Datagram, 100)
		for i := range batch {
			batch[i].Data = make([]byte, 1000)
		}
		n, err := s.Send(batch)
		if n == len(batch) && err == nil && (b.Name == "gso" || b.Name == "uring") {
			n, err = s.Send(batch) // a train of which a part found room was sent, says the kernel; the next finds none
		} else if n == 0 {
			t.Error("nothing was sent")
		}
		if n == len(batch) || !errors.Is(err, backend.ErrNoBuffers) {
			t.Errorf("Send = %d, %v, want fewer and %v", n, err, backend.ErrNoBuffers)
		}
	})
}

func TestNoRoute(t *testing.T) {
	inNamespace(t, nil, func(t *testing.T, b backend.Backend) {
		far := netip.MustParseAddrPort("198.51.100.1:53")
		s := open(t, b, backend.Config{})
		if n, err := s.Send([]backend.Datagram{{Addr: far}}); n != 0 || !errors.Is(err, backend.ErrUnreachable) {
			t.Errorf("Send = %d, %v, want 0, %v", n, err, backend.ErrUnreachable)
		}
		if s, err := b.Open(backend.Config{Remote: far}); !errors.Is(err, backend.ErrUnreachable) {
			t.Errorf("Open = %v, %v, want %v", s, err, backend.ErrUnreachable)
		}
		if s, err := b.Dial(backend.Config{Remote: far}); !errors.Is(err, backend.ErrUnreachable) {
			t.Errorf("Dial = %v, %v, want %v", s, err, backend.ErrUnreachable)
		}
	})
}

// TestNoPorts uses up the local ports: Linux says EAGAIN, which here does not mean try again.
func TestNoPorts(t *testing.T) {
	inNamespace(t, nil, func(t *testing.T, b backend.Backend) {
		const ports = "/proc/sys/net/ipv4/ip_local_port_range" // the namespace's
		if err := os.WriteFile(ports, []byte("40000 40003"), 0o644); err != nil {
			require.Skip(t, "no local port range: %v", err)
		}
		server := netip.MustParseAddrPort("127.0.0.1:53")
		for range 4 {
			open(t, b, backend.Config{Remote: server})
		}
		s, err := b.Open(backend.Config{Remote: server})
		if !errors.Is(err, backend.ErrNoPorts) {
			t.Errorf("Open = %v, %v, want %v", s, err, backend.ErrNoPorts)
		}
		if _, ok := errors.AsType[*os.SyscallError](err); !ok {
			t.Errorf("%v does not wrap an os.SyscallError", err)
		}
	})
}

func TestNoFiles(t *testing.T) {
	described(t, func(t *testing.T, b backend.Backend) {
		var old unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &old); err != nil {
			t.Fatal(err)
		}
		low := old
		low.Cur = 3
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &low); err != nil {
			t.Fatal(err)
		}
		_, err := b.Open(backend.Config{})
		_, dial := b.Dial(backend.Config{Remote: neighbour})
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &old); err != nil {
			t.Fatal(err)
		}
		if !errors.Is(err, backend.ErrNoFiles) || !errors.Is(dial, backend.ErrNoFiles) {
			t.Errorf("Open: %v, Dial: %v, want %v", err, dial, backend.ErrNoFiles)
		}
	})
}

// TestNarrowPath sends what is longer than the path takes: in fragments, for a train is refused.
func TestNarrowPath(t *testing.T) {
	inNamespace(t, []string{"ip link set lo mtu 600"}, func(t *testing.T, b backend.Backend) {
		to := open(t, b, backend.Config{Local: loopback, RecvBuffer: 1 << 20})
		from := open(t, b, backend.Config{Remote: to.LocalAddr()})
		batch := make([]backend.Datagram, 20)
		for i := range batch {
			batch[i].Data = make([]byte, 1000)
			batch[i].Data[999] = byte(i)
		}
		for range 2 { // the second time it is known
			if n, err := from.Send(batch); n != len(batch) || err != nil {
				t.Fatalf("Send = %d, %v, want %d, nil", n, err, len(batch))
			}
			for i := range batch {
				if d := one(t, to); len(d.Data) != 1000 || d.Data[999] != byte(i) || d.Err != nil {
					t.Errorf("datagram %d: %d octets, error %v", i, len(d.Data), d.Err)
				}
			}
		}
		if calls := from.Stats().Syscalls; b.Name == "gso" && calls != 3 {
			t.Errorf("%d calls, want 3: the train and twice all", calls)
		}
	})
}
