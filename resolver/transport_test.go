package resolver_test

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// TestFrames: a stream has no datagrams' edges (c-ares#552, c-ares#266, c-ares#206).
func TestFrames(t *testing.T) {
	for name, h := range map[string]dnstest.Handler{
		"one octet a segment":     dnstest.Split(1, time.Millisecond, good),
		"two octets":              dnstest.Split(2, time.Millisecond, good),
		"two frames in one write": dnstest.OneWrite(dnstest.All(dnstest.WrongID(forged), good)),
		"large, cut odd":          dnstest.Split(4099, 0, dnstest.A(manyAddrs(1000)...)),
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, withTCP(patiently(func(t *testing.T, w *world) {
				s := w.server(t, h)
				r := w.resolver(t, oneShard, s.Addr())
				for range 3 { // on one connection
					if a := ask(t, r, resolver.OverTCP); len(held(t, a)) < len(rightAddr) || a.Transport != resolver.TCP {
						t.Errorf("got %q over %v", held(t, a), a.Transport)
					}
				}
				if c := s.Counts(); c.Conns != 1 || c.TCP != 3 {
					t.Errorf("%d queries came over %d connections, want 3 over 1", c.TCP, c.Conns)
				}
			})))
		})
	}
}

// TestPipelined: many queries share one connection, whatever the order of the replies.
func TestPipelined(t *testing.T) {
	const n = 50
	for name, order := range map[string]func(int) []int{"in order": dnstest.InOrder, "reversed": dnstest.Reversed} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, withTCP(func(t *testing.T, w *world) {
				s := w.server(t, dnstest.Gather(n, order, good))
				e := w.engine(t, nil, s.Addr())
				b := newBatch(n, nil)
				for i := range b.queries {
					b.queries[i].Flags = resolver.OverTCP
				}
				b.submit(t, e)
				drive(t, e, func() bool { return b.completed() == n })
				b.succeeded(t)
				if c := s.Counts(); c.Conns != 1 || c.TCP != n {
					t.Errorf("%d queries came over %d connections, want %d over 1", c.TCP, c.Conns, n)
				}
			}))
		})
	}
}

// TestClosedAfterTheFirst: the server closes after the first of two pipelined queries; the second is asked again, once, on a new connection
// (systemd#11332).
func TestClosedAfterTheFirst(t *testing.T) {
	everywhere(t, withTCP(func(t *testing.T, w *world) {
		s := w.server(t, firstThenClose())
		e := w.engine(t, nil, s.Addr())
		b := newBatch(2, nil)
		for i := range b.queries {
			b.queries[i].Flags = resolver.OverTCP
		}
		b.submit(t, e)
		drive(t, e, func() bool { return b.completed() == 2 })
		b.succeeded(t)
		if c := s.Counts(); c.Conns != 2 || c.TCP != 3 {
			t.Errorf("%d queries came over %d connections, want 3 over 2", c.TCP, c.Conns)
		}
	}))
}

// firstThenClose waits for two queries, answers the first, closes, and answers all that come later.
func firstThenClose() dnstest.Handler {
	var mu sync.Mutex
	var first *dnstest.Request
	return func(w *dnstest.Writer, q dnstest.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case q.N == 1:
			first = &q
		case q.N == 2:
			good(w, *first)
			w.Close()
		default:
			good(w, q)
		}
	}
}

// TestIdleConnectionClosed: a server may close when it likes. That is one more dial, and no mark against it (hickory-dns e3214473a,
// dnsproxy fb3f423f).
func TestIdleConnectionClosed(t *testing.T) {
	for name, h := range map[string]dnstest.Handler{
		"after the reply":  dnstest.All(good, dnstest.Close),
		"while idle":       dnstest.All(good, dnstest.After(20*time.Millisecond, dnstest.Close)),
		"on the next send": dnstest.Seq(good, dnstest.Close, good),
		"reset while idle": dnstest.All(good, dnstest.After(20*time.Millisecond, dnstest.Reset)),
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, withTCP(func(t *testing.T, w *world) {
				one, two := w.server(t, h), w.server(t, dnstest.A(otherAddr))
				r := w.resolver(t, oneShard, one.Addr(), two.Addr())
				for i := range 2 {
					if got := outcome(t, ask(t, r, resolver.OverTCP), nil, one, two); got != "1T" {
						t.Errorf("query %d ended as %s, want 1T", i+1, got)
					}
					time.Sleep(40 * time.Millisecond)
				}
				if c, s := one.Counts(), r.Stats(); c.Conns != 2 || s.Dials != 2 || s.Timeouts != 0 || two.Counts().TCP != 0 {
					t.Errorf("%d connections, %d dials, %d timeouts; want 2, 2, 0", c.Conns, s.Dials, s.Timeouts)
				}
			}))
		})
	}
}

// TestIdleConnectionIsKeptForAWhile: for Config.IdleTimeout.
func TestIdleConnectionIsKeptForAWhile(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		s := w.server(t, good)
		r := w.resolver(t, func(c *resolver.Config) { c.IdleTimeout = 5 * time.Second }, s.Addr())
		for i, pause := range []time.Duration{4999 * time.Millisecond, 4999 * time.Millisecond, 5001 * time.Millisecond, 0} {
			ask(t, r, resolver.OverTCP)
			if want := 1 + i/3; s.Counts().Conns != want {
				t.Errorf("query %d: %d connections so far, want %d", i+1, s.Counts().Conns, want)
			}
			time.Sleep(pause)
		}
	})
}

// TestIdleConnectionIsClosed: without another call.
func TestIdleConnectionIsClosed(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		const idle = 5 * time.Second
		ln, err := w.memory.Listen(w.address())
		if err != nil {
			t.Fatal(err)
		}
		defer ln.Close()
		closed := make(chan time.Time, 1)
		go func() {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			conn := &dns.Conn{Conn: c}
			if q, err := conn.ReadMsg(); err == nil {
				_ = conn.WriteMsg(new(dns.Msg).SetReply(q))
			}
			_, _ = conn.ReadMsg()
			closed <- time.Now()
		}()
		r := w.resolver(t, func(c *resolver.Config) { c.IdleTimeout = idle }, netip.MustParseAddrPort(ln.Addr().String()))
		ask(t, r, resolver.OverTCP)
		began := time.Now()
		select {
		case at := <-closed:
			if took := at.Sub(began); took != idle {
				t.Errorf("closed after %v, want %v", took, idle)
			}
		case <-time.After(2 * idle):
			t.Error("not closed")
		}
	})
}

// TestUsedConnectionIsNotIdle: the time runs from the end of the last query, not from that of an earlier one.
func TestUsedConnectionIsNotIdle(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		const idle = 5 * time.Second
		s := w.server(t, dnstest.Seq(good, dnstest.After(time.Second, good)))
		r := w.resolver(t, func(c *resolver.Config) { c.IdleTimeout = idle }, s.Addr())
		ask(t, r, resolver.OverTCP)
		time.Sleep(idle - time.Second/2)
		watch := w.start()
		ask(t, r, resolver.OverTCP)
		watch.lasted(t, time.Second)
		if n := s.Counts().Conns; n != 1 {
			t.Errorf("%d connections, want 1", n)
		}
	})
}

// TestHangingConnectionIsLeft: after a timeout the next try dials anew.
func TestHangingConnectionIsLeft(t *testing.T) {
	everywhere(t, withTCP(hasty(func(t *testing.T, w *world) {
		var first atomic.Pointer[netip.AddrPort]
		s := w.server(t, func(w *dnstest.Writer, q dnstest.Request) {
			if first.CompareAndSwap(nil, &q.From); *first.Load() != q.From {
				good(w, q)
			}
		})
		r := w.resolver(t, oneShard, s.Addr())
		watch := w.start()
		a := ask(t, r, resolver.OverTCP)
		watch.lasted(t, w.config.Timeout)
		if c := s.Counts(); held(t, a) != rightAddr || c.Conns != 2 || c.TCP != 2 {
			t.Errorf("got %s after %d queries over %d connections, want 2 and 2", held(t, a), c.TCP, c.Conns)
		}
	})))
}

// TestServerThatAlwaysCloses: the number of dials is bounded.
func TestServerThatAlwaysCloses(t *testing.T) {
	for name, h := range map[string]dnstest.Handler{"close": dnstest.Close, "reset": dnstest.Reset} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, withTCP(func(t *testing.T, w *world) {
				s := w.server(t, dnstest.Seq(good, h))
				r := w.resolver(t, oneShard, s.Addr())
				ask(t, r, resolver.OverTCP)
				watch := w.start()
				e := askFails(t, r, resolver.OverTCP, nil)
				watch.lasted(t, 0)
				if errors.Is(e, resolver.ErrTimeout) || len(e.Attempts) != 3 {
					t.Errorf("%v with %d attempts, want 3 that say the connection was closed", e, len(e.Attempts))
				}
				// 3 tries and one re-dial.
				if c := s.Counts(); c.Conns > 1+3 || c.TCP > 1+4 {
					t.Errorf("%d queries over %d connections", c.TCP, c.Conns)
				}
			}))
		})
	}
}

// TestTruncatedOverTCP: the records are returned, and a mark (golang/go#64896).
func TestTruncatedOverTCP(t *testing.T) {
	const n = 4000
	everywhere(t, withTCP(func(t *testing.T, w *world) {
		s := w.server(t, dnstest.Transports(dnstest.Truncated(), dnstest.Edit(dnstest.A(manyAddrs(n)...), truncate)))
		a := ask(t, w.resolver(t, nil, s.Addr()), 0)
		if addrs, _, err := a.Addrs(); !a.Truncated || len(addrs) != n || err != nil {
			t.Errorf("%d addresses, truncated %v, %v; want %d, marked", len(addrs), a.Truncated, err, n)
		}
		addrs, err := w.resolver(t, nil, s.Addr()).LookupNetIP(context.Background(), "ip4", www.Name)
		if len(addrs) != n || err != nil {
			t.Errorf("lookup: %d addresses, %v", len(addrs), err)
		}
	}))
}

// TestIgnoreTruncation: the truncated reply itself is the answer where that is asked for.
func TestIgnoreTruncation(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		s := w.server(t, dnstest.Edit(good, truncate))
		a := ask(t, w.resolver(t, nil, s.Addr()), resolver.IgnoreTruncation)
		if !a.Truncated || a.Transport != resolver.UDP || held(t, a) != rightAddr || s.Counts().TCP != 0 {
			t.Errorf("truncated %v over %v with %s, %d queries over TCP", a.Truncated, a.Transport, held(t, a), s.Counts().TCP)
		}
	})
}

// TestLargeReplyWithoutEDNS: more than 512 octets are taken all the same (golang/go#21160).
func TestLargeReplyWithoutEDNS(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		for _, n := range []int{42, 250, 4000} { // 42 are 705 octets
			s := w.server(t, dnstest.A(manyAddrs(n)...))
			a := ask(t, w.resolver(t, nil, s.Addr()), resolver.NoEDNS)
			addrs, _, err := a.Addrs()
			if len(addrs) != n || err != nil || a.Transport != resolver.UDP || s.Queries()[0].EDNS {
				t.Errorf("%d addresses over %v, %v; want %d", len(addrs), a.Transport, err, n)
			}
		}
	})
}

// TestNobodyListens: the next server is asked at once (c-ares#819, c-ares#821).
func TestNobodyListens(t *testing.T) {
	for name, flags := range map[string]resolver.Flags{"udp": 0, "tcp": resolver.OverTCP} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, withTCP(func(t *testing.T, w *world) {
				two := w.server(t, dnstest.A(otherAddr))
				r := w.resolver(t, nil, w.nobody(t), two.Addr())
				watch := w.start()
				a := ask(t, r, flags)
				watch.lasted(t, 0)
				if held(t, a) != otherAddr || len(a.Attempts) != 2 || !errors.Is(a.Attempts[0].Err, backend.ErrRefused) {
					t.Errorf("got %s after %+v", held(t, a), a.Attempts)
				}
			}))
		})
	}
}

// truncate sets TC.
func truncate(msg []byte, _ dnstest.Request) []byte {
	msg[2] |= 0x02
	return msg
}
