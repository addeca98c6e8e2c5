package dnstest_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
)

const (
	wait  = 5 * time.Second       // for what must come
	quiet = 50 * time.Millisecond // for what must not
)

// query returns a question for www.example.com with the ID 0x1234.
func query(t *testing.T, qtype uint16, edns bool) []byte {
	t.Helper()
	m := new(dns.Msg).SetQuestion("www.example.com.", qtype)
	m.Id = 0x1234
	if edns {
		m.SetEdns0(1232, false)
	}
	msg, err := m.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

func dial(t *testing.T, network string, s *dnstest.Server) net.Conn {
	t.Helper()
	if network == "tcp" && !dnstest.Streams {
		t.Skip("no TCP beside UDP on this system")
	}
	c, err := net.Dial(network, s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// ask sends the messages over UDP and returns the first n datagrams that come.
func ask(t *testing.T, s *dnstest.Server, n int, msgs ...[]byte) []string {
	t.Helper()
	c := dial(t, "udp", s)
	for _, m := range msgs {
		if _, err := c.Write(m); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	buf := make([]byte, 65535)
	for range n {
		c.SetReadDeadline(time.Now().Add(wait))
		k, err := c.Read(buf)
		if err != nil {
			t.Fatalf("after %d of %d datagrams: %v", len(got), n, err)
		}
		got = append(got, hex.EncodeToString(buf[:k]))
	}
	c.SetReadDeadline(time.Now().Add(quiet))
	if k, err := c.Read(buf); err == nil {
		t.Fatalf("one datagram more than %d: %x", n, buf[:k])
	}
	return got
}

// frame puts the length before a message.
func frame(msg []byte) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(msg))), msg...)
}

// stream sends the messages over one TCP connection in one write, then reads to
// its end and returns what came, read by read, and how it ended.
func stream(t *testing.T, s *dnstest.Server, msgs ...[]byte) (reads [][]byte, end error) {
	t.Helper()
	c := dial(t, "tcp", s)
	var out []byte
	for _, m := range msgs {
		out = append(out, frame(m)...)
	}
	if _, err := c.Write(out); err != nil {
		t.Fatal(err)
	}
	for {
		buf := make([]byte, 65535)
		c.SetReadDeadline(time.Now().Add(wait))
		n, err := c.Read(buf)
		if n > 0 {
			reads = append(reads, buf[:n])
		}
		if errors.Is(err, io.EOF) {
			return reads, nil
		}
		if err != nil {
			return reads, err
		}
	}
}

// unpack decodes a datagram that ask returned.
func unpack(t *testing.T, datagram string) *dns.Msg {
	t.Helper()
	octets, err := hex.DecodeString(datagram)
	if err != nil {
		t.Fatal(err)
	}
	m := new(dns.Msg)
	if err := m.Unpack(octets); err != nil {
		t.Fatalf("%s: %v", datagram, err)
	}
	return m
}
