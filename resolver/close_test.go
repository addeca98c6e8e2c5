package resolver_test

import (
	"errors"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// TestCloseWhileSubmitting: eight goroutines submit, one closes at any moment: every submission gets a completion or ErrClosed
// (pycares#310, CVE-2025-48945).
func TestCloseWhileSubmitting(t *testing.T) {
	rounds := 10_000
	if testing.Short() || raceDetector {
		rounds = 1000
	}
	onPreferred(t, func(t *testing.T, w *world) {
		s := w.server(t, good)
		end := time.Now().Add(15 * time.Second)
		for i := range rounds {
			if closeWhileSubmitting(t, w, s, i); t.Failed() || time.Now().After(end) {
				t.Logf("%d rounds", i+1)
				return
			}
		}
	})
}

func closeWhileSubmitting(t *testing.T, w *world, s *dnstest.Server, round int) {
	t.Helper()
	const goroutines, each = 8, 4
	c := w.config
	c.Servers, c.Shards = []resolver.Server{{Addr: s.Addr()}}, 1+round%3
	c.Ports.Loopback, c.Socket.RecvBuffer = 1, 1<<16
	r, err := resolver.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var taken, done atomic.Int64
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range each {
				q := &resolver.Query{Question: www, Done: func(*resolver.Query, *resolver.Reply, error) { done.Add(1) }}
				if err := r.Submit(q); err == nil {
					taken.Add(1)
				} else if !errors.Is(err, resolver.ErrClosed) {
					t.Errorf("round %d: Submit: %v", round, err)
				}
			}
		})
	}
	for range rand.IntN(200) {
		_ = done.Load()
	}
	r.Close()
	wg.Wait()
	// What Submit took while Close ran is completed by then too.
	for end := time.Now().Add(5 * time.Second); done.Load() != taken.Load() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if done.Load() != taken.Load() {
		t.Errorf("round %d: %d submissions taken, %d completed", round, taken.Load(), done.Load())
	}
}

// TestNothingIsWrittenToForeignDescriptors: a client is closed with sends in flight while others open sockets, which may get its
// descriptors' numbers (CVE-2013-7423): they stay silent.
func TestNothingIsWrittenToForeignDescriptors(t *testing.T) {
	onLoopback(t, func(t *testing.T, w *world) {
		sink, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		defer sink.Close()
		s := w.server(t, good)
		for range 10 {
			r := w.resolver(t, nil, s.Addr())
			newBatch(200, nil).submit(t, r)
			go r.Close()
			openAndClose(t, sink.LocalAddr(), 100)
		}
		sink.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		if n, _, err := sink.ReadFrom(make([]byte, 1<<16)); err == nil {
			t.Errorf("a foreign socket sent %d octets", n)
		}
	})
}

// openAndClose opens sockets connected to addr.
func openAndClose(t *testing.T, addr net.Addr, n int) {
	t.Helper()
	var conns []net.Conn
	for range n {
		c, err := net.Dial("udp4", addr.String())
		if err != nil {
			t.Error(err)
			break
		}
		conns = append(conns, c)
	}
	time.Sleep(time.Millisecond)
	for _, c := range conns {
		c.Close()
	}
}

// TestEachQueryHasItsOwnTimer: a query that joins a connection on which another timed out ends in its own time (c-ares#1000).
func TestEachQueryHasItsOwnTimer(t *testing.T) {
	for name, flags := range map[string]resolver.Flags{"udp": 0, "tcp": resolver.OverTCP} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				r := w.resolver(t, func(c *resolver.Config) { oneSocket(c); c.Tries = 1 }, w.server(t, dnstest.Silent).Addr())
				ended := make(chan time.Duration, 2)
				for i := range 2 {
					time.AfterFunc(time.Duration(i)*1500*time.Millisecond, func() {
						began := time.Now()
						askFails(t, r, flags, resolver.ErrTimeout)
						ended <- time.Since(began)
					})
				}
				for range 2 {
					if took := <-ended; took != w.config.Timeout {
						t.Errorf("ended after %v, want %v", took, w.config.Timeout)
					}
				}
				watch := w.start() // and one that comes later
				askFails(t, r, flags, resolver.ErrTimeout)
				watch.lasted(t, w.config.Timeout)
			})
		})
	}
}
