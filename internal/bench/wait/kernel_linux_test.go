package wait_test

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/bench/wait"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/require"
)

// echo sends back what it gets, but for each n-th datagram; 0: all.
func echo(t *testing.T, addr string, n int) netip.AddrPort {
	t.Helper()
	pc, err := net.ListenPacket("udp", addr)
	if err != nil {
		require.Skip(t, "%v", err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 512)
		for i := 1; ; i++ {
			size, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			if n == 0 || i%n > 0 {
				pc.WriteTo(buf[:size], from)
			}
		}
	}()
	t.Cleanup(func() {
		pc.Close()
		<-done
	})
	return pc.LocalAddr().(*net.UDPAddr).AddrPort()
}

// Every way gets all replies, one wake each where one query is outstanding, and has timeouts and timers only where it says so.
func TestEveryWay(t *testing.T) {
	server := echo(t, "127.0.0.1:0", 0)
	for _, w := range wait.Ways() {
		for _, outstanding := range []int{1, 16} {
			l, err := wait.Open(wait.Config{Way: w, Server: server, Query: []byte("query"), Outstanding: outstanding, Try: 5 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			const n = 100
			for range 2 {
				before := l.Counts
				if err := l.Run(n); err != nil {
					t.Errorf("%v: %v", w, err)
				}
				check(t, w, outstanding, n, l.Less(before))
			}
			if err := l.Close(); err != nil {
				t.Errorf("%v: %v", w, err)
			}
		}
	}
}

func check(t *testing.T, w wait.Way, outstanding int, n uint64, c wait.Counts) {
	t.Helper()
	if c.Datagrams != n || c.Lost != 0 || c.Wakes > n || c.Wakes < n/uint64(outstanding) || outstanding == 1 && c.Wakes != n {
		t.Errorf("%v, %d outstanding: %+v", w, outstanding, c)
	}
	if timed := w.Manner == wait.Timeout; timed != (c.TimedWaits == c.Waits) || !timed && c.TimedWaits > 0 {
		t.Errorf("%v, %d outstanding: timed waits: %+v", w, outstanding, c)
	}
	if w.Manner != wait.Polling && (c.Waits != c.Wakes || c.ClockReads != c.Waits+1) || c.Arms > 1 {
		t.Errorf("%v, %d outstanding: %+v", w, outstanding, c)
	}
}

// A deadline comes by each way, and not much too late: a query in four is lost.
func TestEveryWayLoses(t *testing.T) {
	for _, w := range wait.Ways() {
		server := echo(t, "127.0.0.1:0", 4)
		l, err := wait.Open(wait.Config{Way: w, Server: server, Query: []byte("query"), Outstanding: 1, Try: 20 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := l.Run(8); err != nil || l.Lost < 2 || l.Datagrams+l.Lost != 8 || time.Since(began) < 40*time.Millisecond || time.Since(began) > 3*time.Second {
			t.Errorf("%v: %v, %+v after %v", w, err, l.Counts, time.Since(began))
		}
		if armed := w.Manner == wait.Timerfd; armed != (l.Arms >= 2) {
			t.Errorf("%v: armed %d times", w, l.Arms)
		}
		l.Close()
	}
}

func TestOverIPv6(t *testing.T) {
	server := echo(t, "[::1]:0", 0)
	l, err := wait.Open(wait.Config{Way: wait.Way{Call: "epoll", Manner: wait.Timerfd}, Server: server, Query: []byte("query"), Outstanding: 2, Try: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Run(10); err != nil || l.Datagrams != 10 {
		t.Errorf("%v, %+v", err, l.Counts)
	}
}

func TestNobody(t *testing.T) {
	for _, w := range wait.Ways() {
		l, err := wait.Open(wait.Config{Way: w, Server: dnstest.Nobody(t), Query: []byte("query"), Outstanding: 2, Try: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Run(100); !errors.Is(err, wait.ErrSilent) || l.Lost == 0 {
			t.Errorf("%v: %v, %+v", w, err, l.Counts)
		}
		l.Close()
	}
}

// A wait finds the datagram, whatever it is told to do otherwise, again and again.
func TestReady(t *testing.T) {
	for _, call := range wait.Calls() {
		for _, manner := range append(wait.Manners(), wait.Bare) {
			r, err := wait.OpenReady(wait.Way{Call: call, Manner: manner})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Run(50); err != nil {
				t.Errorf("%s/%s: %v", call, manner, err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
