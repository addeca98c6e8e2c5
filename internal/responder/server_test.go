package responder

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/miekg/dns"
)

// frames packs one question after the other, IDs from 0.
func frames(tb testing.TB, n int) []byte {
	tb.Helper()
	var out []byte
	for id := range n {
		m := new(dns.Msg).SetQuestion("example.com.", dns.TypeA)
		m.Id = uint16(id)
		msg, err := m.Pack()
		if err != nil {
			tb.Fatal(err)
		}
		out = binary.BigEndian.AppendUint16(out, uint16(len(msg)))
		out = append(out, msg...)
	}
	return out
}

func dial(tb testing.TB, s *Server) net.Conn {
	tb.Helper()
	c, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(5 * time.Second))
	return c
}

// readID reads one frame.
func readID(tb testing.TB, c net.Conn) uint16 {
	tb.Helper()
	var prefix [2]byte
	if _, err := io.ReadFull(c, prefix[:]); err != nil {
		tb.Fatal(err)
	}
	msg := make([]byte, binary.BigEndian.Uint16(prefix[:]))
	if _, err := io.ReadFull(c, msg); err != nil {
		tb.Fatal(err)
	}
	return binary.BigEndian.Uint16(msg)
}

func TestPipelining(t *testing.T) {
	tests := []struct {
		name string
		send func(c net.Conn, msg []byte)
	}{
		{"one write", func(c net.Conn, msg []byte) { c.Write(msg) }},
		{"octet by octet", func(c net.Conn, msg []byte) {
			for i := range msg {
				c.Write(msg[i : i+1])
			}
		}},
	}
	const n = 50
	s := start(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := dial(t, s)
			go tt.send(c, frames(t, n))
			for want := range uint16(n) {
				if id := readID(t, c); id != want {
					t.Fatalf("reply %d, want %d", id, want)
				}
			}
		})
	}
}

// A client may wait for a reply in the middle of its next frame.
func TestHalfFrameDoesNotHoldReplies(t *testing.T) {
	c := dial(t, start(t))
	two := frames(t, 2)
	c.Write(two[:len(two)-5])
	if id := readID(t, c); id != 0 {
		t.Fatal(id)
	}
	c.Write(two[len(two)-5:])
	if id := readID(t, c); id != 1 {
		t.Fatal(id)
	}
}

func TestCloseEndsConnections(t *testing.T) {
	s := start(t)
	c := dial(t, s)
	c.Write(frames(t, 1))
	readID(t, c)
	begin := time.Now()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(begin); d > idleTimeout/2 {
		t.Errorf("Close waited %v for an idle client", d)
	}
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("the connection is still open")
	}
	if err := s.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("second Close: %v", err)
	}
}

func TestConnectionLimit(t *testing.T) {
	s := start(t)
	for range maxConns {
		c := dial(t, s)
		c.Write(frames(t, 1))
		readID(t, c)
	}
	waiting := dial(t, s) // in the listener's queue
	waiting.Write(frames(t, 1))
	waiting.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := waiting.Read(make([]byte, 1)); n != 0 {
		t.Errorf("connection %d was served: %v", maxConns+1, err)
	}
}

func TestListen(t *testing.T) {
	s := start(t)
	if _, err := Start(s.Addr()); err == nil {
		t.Error("a port in use was bound again")
	}
	six, err := Start(netip.MustParseAddrPort("[::1]:0"))
	if err != nil {
		t.Skip("no IPv6 loopback: ", err)
	}
	defer six.Close()
	if r := ask(t, six, "udp", question("example.com.", dns.TypeA)); len(r.Answer) != 1 {
		t.Errorf("over IPv6: %v", r)
	}
	if !six.Addr().Addr().Is6() {
		t.Errorf("address %v", six.Addr())
	}
}

func TestZoneErrors(t *testing.T) {
	const soa = "x. 1 SOA a. b. 1 1 1 1 1\n"
	for _, text := range []string{"x. IN BOGUS y", soa + "a.x. 1 A 300.0.0.1"} {
		if _, err := parseZone(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
	many := soa + "$TTL 1\n$GENERATE 0-4999 a.x. TXT \"text number $\"\n"
	if _, err := parseZone(many); err == nil {
		t.Error("an RRset of more than 65,535 octets was taken")
	}
}
