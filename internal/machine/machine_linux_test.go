package machine_test

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/machine"
	"github.com/dnsq/dnsq/internal/nettest"
	"github.com/dnsq/dnsq/internal/require"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// echo answers every datagram at addr, in the network namespace that the caller's thread is in. It stops when received is called.
func echo(t *testing.T, addr string) (at netip.AddrPort, received func() int, err error) {
	pc, err := net.ListenPacket("udp", addr)
	if err != nil {
		return at, nil, err
	}
	count := make(chan int, 1)
	go func() {
		n := 0
		buf := make([]byte, 512)
		for {
			size, from, err := pc.ReadFrom(buf)
			if err != nil {
				count <- n
				return
			}
			n++
			pc.WriteTo(buf[:size], from)
		}
	}()
	stopped := false
	stop := func() (n int) {
		if !stopped {
			stopped = true
			pc.Close()
			n = <-count
		}
		return n
	}
	t.Cleanup(func() { stop() })
	return pc.LocalAddr().(*net.UDPAddr).AddrPort(), stop, nil
}

func TestPathOnLoopback(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
		server, received, err := echo(t, addr)
		if err != nil {
			require.Skip(t, "%v", err)
		}
		got, err := machine.PathTo(server, []byte("query"), 5*time.Second)
		if want := (machine.Path{Interface: "lo", Loopback: true}); err != nil || got != want {
			t.Errorf("%v: %+v, %v; want %+v", server, got, err, want)
		}
		if n := received(); n != 1 {
			t.Errorf("%v: %d datagrams sent, want 1", server, n)
		}
	}
}

func TestPathWithoutReply(t *testing.T) {
	silent, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	server := silent.LocalAddr().(*net.UDPAddr).AddrPort()
	if _, err := machine.PathTo(server, []byte("query"), 20*time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) || !strings.Contains(err.Error(), server.String()) {
		t.Errorf("%v, want os.ErrDeadlineExceeded that names %v", err, server)
	}
	silent.Close()
	if _, err := machine.PathTo(server, []byte("query"), 5*time.Second); !errors.Is(err, unix.ECONNREFUSED) {
		t.Errorf("%v, want %v", err, unix.ECONNREFUSED)
	}
}

// TestPathOverVeth asks a server in another network namespace, over a pair of devices that have NAPI only with GRO.
func TestPathOverVeth(t *testing.T) {
	for _, gro := range []bool{false, true} {
		t.Run(fmt.Sprint("gro=", gro), func(t *testing.T) {
			far := nettest.Pair(t, gro)
			var server netip.AddrPort
			var err error
			far.Do(func() { server, _, err = echo(t, nettest.FarAddress+":0") })
			if err != nil {
				t.Fatal(err)
			}
			got, err := machine.PathTo(server, []byte("query"), 5*time.Second)
			if err != nil || got.Interface != nettest.NearDevice || got.Loopback || (got.NAPI > 0) != gro {
				t.Errorf("%+v, %v; want v0, with a NAPI id: %v", got, err, gro)
			}
		})
	}
}

// TestClockCall: a system call takes some time, and is not the vDSO.
func TestClockCall(t *testing.T) {
	if cost := machine.ClockCall(); cost <= 0 || cost > time.Millisecond {
		t.Errorf("a system call costs %v", cost)
	}
}

// TestClocks: both go on, alike but for the coarse one's tick, and have the resolution that they show.
func TestClocks(t *testing.T) {
	clocks := machine.Clocks()
	if len(clocks) != 2 || clocks[0].Name != "CLOCK_MONOTONIC" || clocks[1].Name != "CLOCK_MONOTONIC_COARSE" {
		t.Fatalf("%+v", clocks)
	}
	for _, c := range clocks {
		if c.Resolution <= 0 || c.Resolution > 10*time.Millisecond {
			t.Errorf("%s: resolution %v", c.Name, c.Resolution)
		}
		before := c.Read()
		began := time.Now()
		time.Sleep(30 * time.Millisecond)
		passed := time.Since(began)
		if got := c.Read() - before; got < 20*time.Millisecond || got > passed+c.Resolution+20*time.Millisecond {
			t.Errorf("%s: %v in %v", c.Name, got, passed)
		}
		if err := c.Repeat(100); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	fine, coarse := clocks[0].Read(), clocks[1].Read()
	if lag := fine - coarse; lag > time.Second || lag < -time.Second || clocks[0].Resolution >= clocks[1].Resolution {
		t.Errorf("the coarse clock is %v behind, resolutions %v and %v", lag, clocks[0].Resolution, clocks[1].Resolution)
	}
}
