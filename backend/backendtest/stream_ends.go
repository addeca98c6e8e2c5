package backendtest

import (
	"errors"
	"io"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
)

func testEOF(t *testing.T, h *harness) {
	s, c := h.connected(t)
	c.Write([]byte("last words"))
	c.Close()
	if got, err := io.ReadAll(blocking{s}); string(got) != "last words" || err != nil {
		t.Errorf("read %q, %v, want %q", got, err, "last words")
	}
	if n, err := s.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("Read behind the end = %d, %v, want 0, io.EOF", n, err)
	}
	// Writing goes wrong sooner or later, without a signal.
	for range 100 {
		if _, err := s.Write([]byte("x")); err != nil {
			if !errors.Is(err, backend.ErrReset) {
				t.Errorf("Write to nobody: %v, want %v", err, backend.ErrReset)
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
	if hasReset || h.memory() {
		t.Error("100 writes to nobody succeeded")
	}
}

func testStreamReset(t *testing.T, h *harness) {
	s, c := h.connected(t)
	if !hasReset && !h.memory() {
		t.Log("package net cannot reset here")
		return
	}
	if err := c.(interface{ SetLinger(int) error }).SetLinger(0); err != nil {
		t.Fatal(err)
	}
	c.Close()
	if _, err := (blocking{s}).Read(make([]byte, 1)); !errors.Is(err, backend.ErrReset) {
		t.Errorf("Read: %v, want %v", err, backend.ErrReset)
	}
	if _, err := (blocking{s}).Write([]byte("x")); !errors.Is(err, backend.ErrReset) {
		t.Errorf("Write: %v, want %v", err, backend.ErrReset)
	}
}

func testStreamClosed(t *testing.T, h *harness) {
	s, c := h.connected(t)
	if _, err := (blocking{s}).Write([]byte("bye")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if n, err := c.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("the peer reads %d, %v, want 0, io.EOF", n, err)
	}
	if n, err := s.Read(make([]byte, 1)); n != 0 || !errors.Is(err, net.ErrClosed) {
		t.Errorf("Read = %d, %v, want 0, net.ErrClosed", n, err)
	}
	if n, err := s.Write([]byte("x")); n != 0 || !errors.Is(err, net.ErrClosed) {
		t.Errorf("Write = %d, %v, want 0, net.ErrClosed", n, err)
	}
	if err := s.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("second Close: %v, want net.ErrClosed", err)
	}
	// Before it is connected, too.
	ln, addr := h.listener(t)
	defer ln.Close()
	h.dial(t, backend.Config{Remote: addr}).Close()
}

func testStreamCloseWhile(t *testing.T, h *harness) {
	for range 10 {
		s, c := h.connected(t)
		go io.Copy(io.Discard, c)
		ended := make(chan error)
		go func() {
			var err error
			for err == nil {
				runtime.Gosched() // js/wasm has one thread and no preemption
				if _, err = s.Write([]byte("x")); err == nil {
					_, err = s.Read(make([]byte, 1))
				}
			}
			ended <- err
		}()
		time.Sleep(time.Millisecond)
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("it ended with %v, want net.ErrClosed", err)
		}
		c.Close()
	}
}
