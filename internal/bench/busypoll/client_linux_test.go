package busypoll

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/dnsq/dnsq/internal/nettest"
	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/internal/sys"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// echo answers with what answer makes of a datagram, nothing where that is nil. Peers, called at the end, tells how many there were.
func echo(pc net.PacketConn, answer func([]byte) []byte) (peers func() int) {
	seen := make(chan map[string]bool, 1)
	go func() {
		from := map[string]bool{}
		buf := make([]byte, 512)
		for {
			n, addr, err := pc.ReadFrom(buf)
			if err != nil {
				seen <- from
				return
			}
			from[addr.String()] = true
			if a := answer(buf[:n]); a != nil {
				pc.WriteTo(a, addr)
			}
		}
	}()
	return func() int {
		pc.Close()
		return len(<-seen)
	}
}

func same(b []byte) []byte { return b }

func listen(t *testing.T) net.PacketConn {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return pc
}

func addrOf(pc net.PacketConn) netip.AddrPort { return pc.LocalAddr().(*net.UDPAddr).AddrPort() }

// open skips what the system refuses: without CAP_NET_ADMIN there is no busy polling.
func open(t *testing.T, w Way, server netip.AddrPort, sockets int) *Client {
	t.Helper()
	c, err := Open(w, server, sockets)
	if err != nil {
		require.Skip(t, "%v: %v", w, err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// Every way gets its replies, over all of the sockets, and finds no device on loopback.
func TestAsk(t *testing.T) {
	if len(Ways()) != 9 {
		t.Errorf("%d ways: %v", len(Ways()), Ways())
	}
	for _, w := range Ways() {
		t.Run(w.String(), func(t *testing.T) {
			pc := listen(t)
			peers := echo(pc, same)
			defer pc.Close()
			c := open(t, w, addrOf(pc), 10)
			for range 25 {
				if took, err := c.Ask(make([]byte, 12)); err != nil || took <= 0 {
					t.Fatalf("%v, %v", took, err)
				}
			}
			if id, err := c.NAPI(); id != 0 || err != nil {
				t.Errorf("NAPI id %d, %v", id, err)
			}
			if n := peers(); n != 10 {
				t.Errorf("%d sockets asked, want 10", n)
			}
		})
	}
}

// With nothing to receive, what spins looks and returns, and all else sleeps. Either way it ends when it is given up.
func TestWaits(t *testing.T) {
	for _, w := range Ways() {
		t.Run(w.String(), func(t *testing.T) {
			pc := listen(t)
			defer pc.Close()
			c := open(t, w, addrOf(pc), 3)
			if w.Mode == Spin {
				if fd, err := c.wait(); fd != -1 || err != nil {
					t.Errorf("it looked and found %d, %v", fd, err)
				}
			}
			const late = 20 * time.Millisecond
			began := time.Now()
			defer time.AfterFunc(late, c.GiveUp).Stop()
			_, err := c.Ask(make([]byte, 12))
			if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) < late {
				t.Errorf("it ended after %v with %v", time.Since(began), err)
			}
		})
	}
}

// Only what is to be busy polled is, and as the documentation of the constants says.
func TestBusyOptions(t *testing.T) {
	pc := listen(t)
	defer pc.Close()
	for _, w := range Ways() {
		want := []int{0, 0}
		params := sys.EpollParams{}
		if w.Mode == Busy {
			want, params = []int{50, 1}, sys.EpollParams{Micros: 50, Budget: 64, Prefer: 1}
		}
		c := open(t, w, addrOf(pc), 2)
		for _, fd := range c.fds {
			for i, option := range []int{unix.SO_BUSY_POLL, unix.SO_PREFER_BUSY_POLL} {
				if v, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, option); v != want[i] && want[1] == 1 || err != nil {
					t.Errorf("%v: option %d is %d, %v; want %d", w, option, v, err, want[i])
				}
			}
		}
		if w.Call != "epoll" {
			continue
		}
		if got, errno := sys.GetEpollParams(c.epoll); got != params || errno != 0 {
			t.Errorf("%v: %+v, %v; want %+v", w, got, errno, params)
		}
	}
}

func TestErrors(t *testing.T) {
	pc := listen(t)
	peers := echo(pc, func([]byte) []byte { return []byte{0xff, 0xff, 1} })
	defer peers()
	c := open(t, Way{"poll", Sleep}, addrOf(pc), 1)
	if _, err := c.Ask(make([]byte, 12)); err == nil || !strings.Contains(err.Error(), "a reply of 3 octets to another message") {
		t.Errorf("a reply to something else: %v", err)
	}
	nobody := listen(t)
	nobody.Close()
	c = open(t, Way{"epoll", Sleep}, addrOf(nobody), 1)
	if _, err := c.Ask(make([]byte, 12)); !errors.Is(err, unix.ECONNREFUSED) {
		t.Errorf("nobody there: %v", err)
	}
	for _, tt := range []struct {
		way    Way
		server string
		want   string
	}{
		{Way{"kqueue", Sleep}, "127.0.0.1:1", "no way to wait kqueue sleep"},
		{Way{"poll", Sleep}, "[::1]:1", "an IPv4 address is needed"},
	} {
		if _, err := Open(tt.way, netip.MustParseAddrPort(tt.server), 1); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, %s: %v", tt.way, tt.server, err)
		}
	}
}

// TestOverVeth: the epoll with busy polling takes replies off a device by itself, and what only sleeps does not.
func TestOverVeth(t *testing.T) {
	for _, mode := range []string{Sleep, Busy} {
		t.Run(fmt.Sprint("epoll ", mode), func(t *testing.T) {
			far := nettest.Pair(t, true)
			var pc net.PacketConn
			var err error
			far.Do(func() { pc, err = net.ListenPacket("udp", nettest.FarAddress+":0") })
			if err != nil {
				t.Fatal(err)
			}
			defer echo(pc, same)()
			c := open(t, Way{"epoll", mode}, addrOf(pc), 10)
			before, end := Polled(), time.Now().Add(20*time.Second) // whether a reply comes while the device is polled is up to who runs where
			for i := 0; i < 500 || mode == Busy && Polled() == before && time.Now().Before(end); i++ {
				if _, err := c.Ask(make([]byte, 12)); err != nil {
					t.Fatal(err)
				}
			}
			if id, err := c.NAPI(); id == 0 || err != nil {
				t.Errorf("NAPI id %d, %v", id, err)
			}
			if n := Polled() - before; (n > 0) != (mode == Busy) {
				t.Errorf("%d packets busy polled", n)
			}
		})
	}
}

func TestPolledIn(t *testing.T) {
	for text, want := range map[string]uint64{
		"": 0,
		"TcpExt: A B\nTcpExt: 1 2\nIpExt: C\nIpExt: 3\n":                                 0,
		"TcpExt: A BusyPollRxPackets C\nTcpExt: 1 22 333\nIpExt: C\nIpExt: 3\n":          22,
		"IpExt: C\nIpExt: 3\nTcpExt: A C BusyPollRxPackets\nTcpExt: 1 22 333\n":          333,
		"TcpExt: A C BusyPollRxPackets\nTcpExt: 1 22\n":                                  0,
		"TcpExt: BusyPollRxPackets\nTcpExt: 18446744073709551615\nTcpExt: cut off here ": 1<<64 - 1,
	} {
		if got := polledIn(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
