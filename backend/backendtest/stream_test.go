package backendtest_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/backend/backendtest"
)

// client reads a Stream by waiting for Notify.
type client struct {
	backend.Stream
	ready chan struct{}
}

func (c *client) Read(p []byte) (int, error) {
	for {
		if n, err := c.Stream.Read(p); n > 0 || err != nil {
			return n, err
		}
		<-c.ready
	}
}

func (c *client) Write(p []byte) (n int, err error) {
	for {
		sent, err := c.Stream.Write(p[n:])
		n += sent
		if n == len(p) || err != nil {
			return n, err
		}
		<-c.ready
	}
}

// connect returns both ends of a stream.
func connect(t *testing.T, n *backendtest.Network) (*client, net.Conn) {
	t.Helper()
	ln, err := n.Listen(server)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	c := &client{ready: make(chan struct{}, 1)}
	c.Stream, err = n.Backend().Dial(backend.Config{Remote: server, Notify: func() {
		select {
		case c.ready <- struct{}{}:
		default:
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); conn.Close() })
	return c, conn
}

func TestStream(t *testing.T) {
	for _, tt := range []struct {
		name   string
		faults backendtest.Faults
		run    func(t *testing.T, c *client, s net.Conn)
	}{
		{"dial takes a round trip, data half of one", backendtest.Faults{Delay: time.Second}, testTimes},
		{"dial delay", backendtest.Faults{DialDelay: time.Minute}, testDialDelay},
		{"more than the window goes through", backendtest.Faults{Delay: time.Second}, testLong},
		{"segments", backendtest.Faults{Segment: 1}, testSegments},
		{"half close", backendtest.Faults{}, testHalfClose},
		{"reset behind data", backendtest.Faults{}, testReset},
		{"write to a closed peer", backendtest.Faults{}, testGone},
		{"deadline", backendtest.Faults{}, testDeadline},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := backendtest.NewNetwork()
				defer n.Close()
				n.SetFaults(tt.faults)
				c, s := connect(t, n)
				tt.run(t, c, s)
			})
		})
	}
}

// epoch is when a bubble of testing/synctest begins.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func wantAfter(t *testing.T, what string, want time.Duration) {
	t.Helper()
	if got := time.Since(epoch); got != want {
		t.Errorf("%s after %v, want %v", what, got, want)
	}
}

func testTimes(t *testing.T, c *client, s net.Conn) {
	wantAfter(t, "connected", 2*time.Second)
	if _, err := c.Write([]byte("ping")); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 8)
	if n, err := s.Read(buf); string(buf[:n]) != "ping" || err != nil {
		t.Errorf("the server read %q, %v, want %q", buf[:n], err, "ping")
	}
	wantAfter(t, "the server read", 3*time.Second)
	if s.RemoteAddr().String() != c.LocalAddr().String() || s.LocalAddr().String() != server.String() {
		t.Errorf("the server has %v from %v, want %v from %v", s.LocalAddr(), s.RemoteAddr(), server, c.LocalAddr())
	}
}

func testDialDelay(t *testing.T, _ *client, _ net.Conn) { wantAfter(t, "connected", time.Minute) }

func testLong(t *testing.T, c *client, s net.Conn) {
	sent := bytes.Repeat([]byte("0123456789"), 30_000)
	go func() { s.Write(sent); s.Close() }()
	if got, err := io.ReadAll(c); !bytes.Equal(got, sent) || err != nil {
		t.Errorf("the client read %d octets, %v, want the %d sent", len(got), err, len(sent))
	}
}

func testSegments(t *testing.T, c *client, s net.Conn) {
	s.Write([]byte("abc"))
	buf := make([]byte, 8)
	for _, want := range []string{"a", "b", "c"} {
		if n, err := c.Read(buf); string(buf[:n]) != want || err != nil {
			t.Errorf("read %q, %v, want %q", buf[:n], err, want)
		}
	}
}

func testHalfClose(t *testing.T, c *client, s net.Conn) {
	s.Write([]byte("bye"))
	s.(interface{ CloseWrite() error }).CloseWrite()
	if got, err := io.ReadAll(c); string(got) != "bye" || err != nil {
		t.Errorf("the client read %q, %v, want %q", got, err, "bye")
	}
	if _, err := c.Write([]byte("still here")); err != nil {
		t.Errorf("the other direction: %v", err)
	}
	c.Close()
	if got, err := io.ReadAll(s); string(got) != "still here" || err != nil {
		t.Errorf("the server read %q, %v, want %q", got, err, "still here")
	}
}

func testReset(t *testing.T, c *client, s net.Conn) {
	s.Write([]byte("last"))
	s.(interface{ Reset() error }).Reset()
	if got, err := io.ReadAll(c); string(got) != "last" || !errors.Is(err, backend.ErrReset) {
		t.Errorf("the client read %q, %v, want %q, %v", got, err, "last", backend.ErrReset)
	}
	if _, err := c.Write([]byte("x")); !errors.Is(err, backend.ErrReset) {
		t.Errorf("a write after it: %v, want %v", err, backend.ErrReset)
	}
}

func testGone(t *testing.T, c *client, s net.Conn) {
	s.Close()
	if got, err := io.ReadAll(c); len(got) != 0 || err != nil {
		t.Errorf("read %q, %v, want the end", got, err)
	}
	synctest.Wait()
	if _, err := c.Write([]byte("x")); !errors.Is(err, backend.ErrReset) {
		t.Errorf("write: %v, want %v", err, backend.ErrReset)
	}
}

func testDeadline(t *testing.T, _ *client, s net.Conn) {
	s.SetReadDeadline(time.Now().Add(time.Second))
	if _, err := s.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("read: %v, want %v", err, os.ErrDeadlineExceeded)
	}
	wantAfter(t, "the deadline passed", time.Second)
}
