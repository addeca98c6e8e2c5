package backendtest

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
)

func streamSentences() []sentence {
	return []sentence{
		{"Dial returns before the connection is made", testDial},
		{"a dial that failed shows in Read and in Write", testDialFailed},
		{"Read and Write move octets in order, without blocking", testEcho},
		{"a full stream takes the rest later", testStreamFull},
		{"io.EOF is the peer's orderly close, behind its last octets", testEOF},
		{"a reset is ErrReset", testStreamReset},
		{"a port connected to itself is refused", testSelf},
		{"a stream's Control runs and its error fails the dial", testStreamControl},
		{"after Close a stream returns net.ErrClosed", testStreamClosed},
		{"a stream's Close may come from another goroutine", testStreamCloseWhile},
	}
}

// TestStream holds the streams of b to their contract. Listen opens what they connect to.
func TestStream(t *testing.T, b backend.Backend, listen func(netip.AddrPort) (net.Listener, error)) {
	run(t, &harness{backend: b, listen: listen}, streamSentences())
}

func (h *harness) listener(t *testing.T) (net.Listener, netip.AddrPort) {
	t.Helper()
	ln, err := h.listen(h.local())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	return ln, ln.Addr().(*net.TCPAddr).AddrPort()
}

func (h *harness) dial(t *testing.T, cfg backend.Config) backend.Stream {
	t.Helper()
	s, err := h.backend.Dial(cfg)
	if err != nil {
		t.Fatalf("Dial: %v", err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// connected dials a listener and returns both ends of the connection once it is made.
func (h *harness) connected(t *testing.T) (backend.Stream, net.Conn) {
	t.Helper()
	ln, addr := h.listener(t)
	s := h.dial(t, backend.Config{Remote: addr})
	c, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(patience))
	return s, c
}

// blocking makes a Stream an io.ReadWriter that waits.
type blocking struct{ backend.Stream }

func (b blocking) Read(p []byte) (n int, err error) {
	return wait(func() (int, error) { return b.Stream.Read(p) })
}

func (b blocking) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var sent int
		sent, err = wait(func() (int, error) { return b.Stream.Write(p[n:]) })
		n += sent
	}
	return n, err
}

var errPatience = errors.New("nothing happened for a long time")

func wait(move func() (int, error)) (int, error) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Microsecond) {
		if n, err := move(); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, errPatience
}

func testDial(t *testing.T, h *harness) {
	notified := make(chan struct{}, 16)
	ln, addr := h.listener(t)
	s := h.dial(t, backend.Config{Remote: addr, Notify: func() { notified <- struct{}{} }})
	if n, err := s.Read(make([]byte, 8)); n != 0 || err != nil {
		t.Errorf("Read at once = %d, %v, want 0, nil", n, err)
	}
	c, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if s.FD() < 0 {
		<-notified
	}
	if _, err := (blocking{s}).Write([]byte("x")); err != nil {
		t.Fatalf("Write: %v", err)
	}
	if got, want := s.LocalAddr().String(), c.RemoteAddr().String(); got != want {
		t.Errorf("LocalAddr = %v, the peer says %v", got, want)
	}
	if s, err := h.backend.Dial(backend.Config{}); err == nil {
		s.Close()
		t.Error("Dial without a remote address succeeded")
	}
}

func testDialFailed(t *testing.T, h *harness) {
	ln, addr := h.listener(t)
	ln.Close()
	for _, write := range []bool{false, true} {
		s, err := h.backend.Dial(backend.Config{Remote: addr})
		if err == nil {
			defer s.Close()
			if write {
				_, err = (blocking{s}).Write([]byte("x"))
			} else {
				_, err = (blocking{s}).Read(make([]byte, 1))
			}
			_, again := s.Read(make([]byte, 1))
			if !errors.Is(again, backend.ErrRefused) {
				t.Errorf("said again: %v, want %v", again, backend.ErrRefused)
			}
		}
		if !errors.Is(err, backend.ErrRefused) {
			t.Errorf("write %v: %v, want %v", write, err, backend.ErrRefused)
		}
	}
}

func testEcho(t *testing.T, h *harness) {
	s, c := h.connected(t)
	go io.Copy(struct{ io.Writer }{c}, c) // not by splice(2), whose pipes package net keeps
	sent := pattern(50_000)
	var written, read int
	got := make([]byte, len(sent))
	_, err := wait(func() (int, error) { // one goroutine does both
		n, err := s.Write(sent[written:])
		written += n
		if err == nil {
			n, err = s.Read(got[read:])
			read += n
		}
		return read / len(got), err
	})
	if err != nil || !bytes.Equal(got, sent) {
		t.Errorf("%d octets came back, %v, want those sent", read, err)
	}
	if n, err := s.Read(got); n != 0 || err != nil {
		t.Errorf("then Read = %d, %v, want 0, nil", n, err)
	}
}

func testStreamFull(t *testing.T, h *harness) {
	s, c := h.connected(t)
	chunk := pattern(1 << 16)
	var sent int
	full := 0
	for sent < 64<<20 && full < 20 { // the peer's kernel may still be making room
		n, err := s.Write(chunk)
		if err != nil {
			t.Fatalf("Write: %v", err)
		}
		if sent += n; n < len(chunk) {
			full++
			time.Sleep(time.Millisecond)
			chunk = pattern(1 << 16) // the count matters here, not the octets
		}
	}
	if full == 0 {
		t.Fatalf("%d octets were taken and nobody reads", sent)
	}
	read := make(chan int64)
	go func() {
		n, _ := io.CopyN(io.Discard, c, int64(sent)+1)
		read <- n
	}()
	if _, err := (blocking{s}).Write([]byte("x")); err != nil {
		t.Errorf("the rest: %v", err)
	}
	if n := <-read; n != int64(sent)+1 {
		t.Errorf("the peer read %d octets, want %d", n, sent+1)
	}
}

// testSelf provokes what happens by chance when a port of the range for outgoing connections is dialled and nobody listens there.
func testSelf(t *testing.T, h *harness) {
	ln, addr := h.listener(t)
	ln.Close()
	s, err := h.backend.Dial(backend.Config{Local: addr, Remote: addr})
	if err == nil {
		defer s.Close()
		_, err = (blocking{s}).Write([]byte("x"))
	}
	if !errors.Is(err, backend.ErrRefused) && (err == nil || errorQueue) { // systems refuse in ways of their own
		t.Errorf("%v, want %v", err, backend.ErrRefused)
	}
}

func testStreamControl(t *testing.T, h *harness) {
	_, addr := h.listener(t)
	bad := errors.New("no such option")
	s, err := h.backend.Dial(backend.Config{Remote: addr, Control: func(string, uintptr) error { return bad }})
	if err == nil {
		defer s.Close()
		if !hasControl && !h.memory() {
			return
		}
		_, err = (blocking{s}).Write([]byte("x"))
	}
	if !errors.Is(err, bad) {
		t.Errorf("%v, want the error of Control", err)
	}
}
