package dnstest_test

import (
	"encoding/hex"
	"net"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
)

// holdClient sends n queries with the IDs 0, 1, … to addr.
func holdClient(t *testing.T, addr netip.AddrPort, n int, edns bool) *net.UDPConn {
	t.Helper()
	c, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(addr))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	q := query(t, dns.TypeA, edns)
	for i := range n {
		q[0], q[1] = byte(i>>8), byte(i)
		if _, err := c.Write(q); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// holdReplies reads n replies and checks that they are those to the queries
// from first on, in their order.
func holdReplies(t *testing.T, c *net.UDPConn, first, n int) {
	t.Helper()
	for i := first; i < first+n; i++ {
		buf := make([]byte, 512)
		c.SetReadDeadline(time.Now().Add(wait))
		k, err := c.Read(buf)
		if err != nil {
			t.Fatalf("reply %d: %v", i, err)
		}
		if id := int(buf[0])<<8 | int(buf[1]); id != i {
			t.Fatalf("reply %d has the ID %d", i, id)
		}
		if got := "1234" + hex.EncodeToString(buf[2:k]); got != answer1 {
			t.Fatalf("reply %d:\n got %s\nwant %s", i, got, answer1)
		}
	}
}

// holdSilence checks that nothing has come.
func holdSilence(t *testing.T, c *net.UDPConn) {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(quiet))
	if n, err := c.Read(make([]byte, 512)); !isTimeout(err) {
		t.Fatalf("%d octets, %v: want silence", n, err)
	}
}

func TestHolderByHand(t *testing.T) {
	h := dnstest.NewHolder(t)
	a := holdClient(t, h.Addr(), 70, false)
	if err := h.Receive(70); err != nil {
		t.Fatal(err)
	}
	b := holdClient(t, h.Addr(), 3, true)
	if err := h.Receive(3); err != nil {
		t.Fatal(err)
	}
	holdSilence(t, a)
	for i, want := range []int{64, 6, 2, 1, 0} {
		k := 64
		if want < 3 {
			k = 2
		}
		n, err := h.Release(k)
		if n != want || err != nil {
			t.Fatalf("release %d: %d, %v; want %d", i, n, err, want)
		}
	}
	holdReplies(t, a, 0, 70)
	holdReplies(t, b, 0, 3)
	if h.Held() != 0 {
		t.Errorf("%d held after all were released", h.Held())
	}
}

// Replies of another size cannot go in one burst: the earlier ones leave first.
func TestHolderSizes(t *testing.T) {
	h := dnstest.NewHolder(t)
	c := holdClient(t, h.Addr(), 2, false)
	other, err := new(dns.Msg).SetQuestion("a.example.", dns.TypeA).Pack()
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range [][]byte{[]byte("no query"), other} {
		if _, err := c.Write(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Receive(4); err != nil {
		t.Fatal(err)
	}
	holdReplies(t, c, 0, 2)
	if n, err := h.Release(64); n != 1 || err != nil {
		t.Fatalf("Release = %d, %v; want 1", n, err)
	}
	buf := make([]byte, 512)
	n, err := c.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	if m := unpack(t, hex.EncodeToString(buf[:n])); m.Question[0].Name != "a.example." || len(m.Answer) != 1 {
		t.Errorf("reply %v, want an A record of a.example.", m)
	}
}

func TestHold(t *testing.T) {
	for _, tt := range []struct {
		name  string
		start func(testing.TB, int) netip.AddrPort
	}{
		{"in process", dnstest.Hold},
		{"in a process of its own", dnstest.Process},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "js" && tt.name != "in process" {
				t.Skip("js has no processes")
			}
			addr := tt.start(t, 8)
			holdReplies(t, holdClient(t, addr, 20, true), 0, 20) // two bursts, and 4 that waited in vain for more
			start := time.Now()
			holdReplies(t, holdClient(t, addr, 7, true), 0, 7)
			if held := time.Since(start); held < time.Millisecond {
				t.Errorf("7 replies were held for %v, want 1ms for an eighth", held)
			}
		})
	}
}
