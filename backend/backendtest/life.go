package backendtest

import (
	"errors"
	"net"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
)

func lifeSentences() []sentence {
	return []sentence{
		{"LocalAddr is the address the socket is bound to", testLocalAddr},
		{"Control runs before the socket is bound and its error fails the opening", testControl},
		{"a bound address is taken", testTaken},
		{"Stats counts calls, drops and granted buffers", testStats},
		{"after Close everything returns net.ErrClosed", testClosed},
		{"Close may come from another goroutine", testCloseWhile},
		{"nothing is allocated once warm", testAllocations},
	}
}

func testLocalAddr(t *testing.T, h *harness) {
	s := h.open(t, backend.Config{})
	if a := s.LocalAddr(); a.Addr() != h.loopback || a.Port() == 0 {
		t.Errorf("LocalAddr = %v, want a port of %v", a, h.loopback)
	}
	c := h.open(t, backend.Config{Remote: s.LocalAddr(), Local: h.local()})
	if a := c.LocalAddr(); a.Addr() != h.loopback || a.Port() == 0 {
		t.Errorf("connected: LocalAddr = %v, want a port of %v", a, h.loopback)
	}
	free := h.dead(t)
	if a := h.open(t, backend.Config{Local: free}).LocalAddr(); a != free {
		t.Errorf("LocalAddr = %v, want %v", a, free)
	}
}

func testControl(t *testing.T, h *harness) {
	want := map[bool]string{false: "udp4", true: "udp6"}[h.loopback.Is6()]
	var network string
	e := h.open(t, backend.Config{Local: h.local(), Control: func(n string, fd uintptr) error {
		network = n
		if !h.memory() && boundPort(fd) != 0 {
			t.Errorf("bound already when Control runs")
		}
		return nil
	}})
	if !hasControl && e.FD() < 0 && !h.memory() {
		t.Log("package net has no Control here")
		return
	}
	if network != want {
		t.Errorf("Control was called with network %q, want %q", network, want)
	}
	bad := errors.New("no such option")
	for _, cfg := range []backend.Config{{Local: h.local()}, {Remote: e.LocalAddr()}} {
		cfg.Control = func(string, uintptr) error { return bad }
		if s, err := h.backend.Open(cfg); !errors.Is(err, bad) {
			t.Errorf("Open = %v, %v, want the error of Control", s, err)
		}
	}
}

func testTaken(t *testing.T, h *harness) {
	s := h.open(t, backend.Config{})
	if other, err := h.backend.Open(backend.Config{Local: s.LocalAddr()}); err == nil {
		other.Close()
		t.Errorf("%v was bound twice", s.LocalAddr())
	}
}

func testStats(t *testing.T, h *harness) {
	const asked, count = 8192, 300
	to, from := h.pair(t, backend.Config{RecvBuffer: asked, SendBuffer: asked})
	st := to.Stats()
	known := h.memory() || hasStats
	if known && (st.RecvBuffer < asked || st.RecvBuffer > 4*asked || st.SendBuffer < asked || st.SendBuffer > 4*asked) {
		t.Errorf("granted %d and %d octets, asked for %d", st.RecvBuffer, st.SendBuffer, asked)
	}
	from.sendAll(t, numbered(count, 1000, to.LocalAddr()))
	if calls := from.Stats().Syscalls; calls == 0 || calls > count+1 {
		t.Errorf("%d system calls counted for %d datagrams sent", calls, count)
	}
	time.Sleep(settle)
	got := 0
	for dry := false; !dry; {
		var n int
		n, dry, _ = to.Recv(newBatch(8, slot))
		got += n
	}
	st = to.Stats()
	if st.Syscalls == 0 {
		t.Error("no receive call was counted")
	}
	if (h.memory() || countsDrops) && int(st.Dropped)+got != count {
		t.Errorf("%d received and %d dropped of %d", got, st.Dropped, count)
	}
	if countsDrops && to.FD() >= 0 && st.Dropped == 0 {
		t.Errorf("all of %d datagrams fitted into %d octets", count, st.RecvBuffer)
	}
}

func testClosed(t *testing.T, h *harness) {
	s, from := h.pair(t, backend.Config{})
	from.sendAll(t, numbered(1, 10, s.LocalAddr()))
	time.Sleep(settle / 3)
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if n, _, err := s.Recv(newBatch(1, slot)); n != 0 || !errors.Is(err, net.ErrClosed) {
		t.Errorf("Recv = %d, %v, want 0, net.ErrClosed", n, err)
	}
	if n, err := s.Send(numbered(1, 10, from.LocalAddr())); n != 0 || !errors.Is(err, net.ErrClosed) {
		t.Errorf("Send = %d, %v, want 0, net.ErrClosed", n, err)
	}
	if err := s.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("second Close: %v, want net.ErrClosed", err)
	}
	s.Stats() // must not touch what is gone
}

func testCloseWhile(t *testing.T, h *harness) {
	for range 20 {
		s := h.open(t, backend.Config{})
		self := s.LocalAddr()
		var done sync.WaitGroup
		done.Go(func() {
			batch := newBatch(4, slot)
			for {
				runtime.Gosched() // js/wasm has one thread and no preemption
				_, sendErr := s.Send([]backend.Datagram{{Data: []byte("x"), Addr: self}})
				_, _, err := s.Recv(batch)
				if errors.Is(err, net.ErrClosed) {
					return
				}
				if err != nil || sendErr != nil && !errors.Is(sendErr, net.ErrClosed) {
					t.Errorf("Recv: %v, Send: %v", err, sendErr)
					return
				}
			}
		})
		time.Sleep(time.Millisecond)
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		done.Wait()
	}
}

// testAllocations goes through a warm socket: to itself, connected and not.
func testAllocations(t *testing.T, h *harness) {
	free := h.dead(t)
	for _, cfg := range []backend.Config{{Local: free, Remote: free}, {Local: free}, {Local: free, Remote: free, Stamps: true}, {Local: free, Stamps: true}} {
		s := h.open(t, cfg)
		if s.FD() < 0 || !cfg.Remote.IsValid() && !noSourceAllocs {
			s.Close() // package net's goroutines, or the system's way to tell the source
			continue
		}
		out, in := numbered(8, 100, netip.AddrPortFrom(free.Addr(), free.Port())), newBatch(16, slot)
		allocs := testing.AllocsPerRun(100, func() {
			if n, err := s.Send(out); n != len(out) || err != nil {
				t.Errorf("Send = %d, %v, want %d, nil", n, err, len(out))
			}
			for got := 0; got < len(out); {
				n, _, err := s.Recv(in)
				if err != nil {
					t.Fatalf("Recv: %v", err)
				}
				got += n
			}
		})
		if allocs != 0 {
			t.Errorf("connected %v: %v allocations for %d datagrams", cfg.Remote.IsValid(), allocs, len(out))
		}
		s.Close()
	}
}
