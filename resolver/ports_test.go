package resolver_test

import (
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// counting counts the open sockets of a backend and the most there were.
type counting struct{ open, most atomic.Int64 }

func (c *counting) wrap(b *backend.Backend) {
	open := b.Open
	b.Open = func(cfg backend.Config) (backend.Socket, error) {
		s, err := open(cfg)
		if err != nil {
			return nil, err
		}
		c.most.Store(max(c.most.Load(), c.open.Add(1)))
		return &countedSocket{s, c}, nil
	}
}

type countedSocket struct {
	backend.Socket
	c *counting
}

func (s *countedSocket) Close() error {
	s.c.open.Add(-1)
	return s.Socket.Close()
}

// portsOf returns how many queries came from each port.
func portsOf(s *dnstest.Server) map[uint16]int {
	ports := map[uint16]int{}
	for _, q := range s.Queries() {
		ports[q.From.Port()]++
	}
	return ports
}

// TestFreshPorts: below Fresh in flight each query has a port of its own, which is given back; above, they share the pool's.
func TestFreshPorts(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		var sockets counting
		sockets.wrap(&w.config.Backend)
		s := w.server(t, dnstest.After(time.Millisecond, good))
		r := w.resolver(t, func(c *resolver.Config) { c.Ports = resolver.PortPolicy{Fresh: 16, Pool: 4, Queries: 1000} }, s.Addr())
		b := newBatch(16, nil)
		b.submit(t, r)
		b.wait(t)
		if n := len(portsOf(s)); n != 16 || sockets.open.Load() != 0 {
			t.Errorf("16 queries came from %d ports, and %d sockets are left open; want 16 and 0", n, sockets.open.Load())
		}
		b = newBatch(500, nil)
		b.submit(t, r)
		b.wait(t)
		if ports, open := len(portsOf(s)), sockets.open.Load(); ports != 16+16+int(open) || open < 1 || open > 4 {
			t.Errorf("500 queries more: %d ports and %d sockets open, want 16 ports more and one for each of up to 4 sockets", ports, open)
		}
	})
}

// TestSocketsAreBounded: also where nothing is ever answered (c-ares#1152). A retired socket is open until the last of its queries has ended:
// besides Fresh and Pool there are as many as the queries in flight fill up, and those that earlier queries had filled in part.
func TestSocketsAreBounded(t *testing.T) {
	for name, c := range map[string]struct {
		ports resolver.PortPolicy
		n     int
		most  int64
	}{
		"few":     {resolver.PortPolicy{}, 16, 16},
		"many":    {resolver.PortPolicy{}, 2000, 16 + 2*64 + 2000/256},
		"pool":    {resolver.PortPolicy{Fresh: -1, Pool: 4}, 2000, 2*4 + 2000/256},
		"retired": {resolver.PortPolicy{Fresh: -1, Pool: 4, Queries: 1000}, 2000, 2*4 + 2000/1000},
	} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				var sockets counting
				sockets.wrap(&w.config.Backend)
				r := w.resolver(t, func(cfg *resolver.Config) { cfg.Ports = c.ports }, w.server(t, dnstest.Silent).Addr())
				b := newBatch(c.n, nil)
				b.submit(t, r)
				b.wait(t)
				for _, err := range b.errs {
					isTimeout(t, err)
				}
				if most := sockets.most.Load(); most > c.most {
					t.Errorf("%d queries had %d sockets open, want at most %d", c.n, most, c.most)
				}
			})
		})
	}
}

// TestLoopbackKeepsItsSockets: four, whatever the load, the timeouts and the age.
func TestLoopbackKeepsItsSockets(t *testing.T) {
	inBoth(t, func(t *testing.T, w *world) {
		w.config.Timeout = 50 * time.Millisecond
		s := w.loopbackServer(t, dnstest.Silent)
		r := w.resolver(t, oneShard, s.Addr())
		b := newBatch(16, nil)
		b.submit(t, r)
		b.wait(t)
		for range 10 {
			askFails(t, r, 0, resolver.ErrTimeout)
		}
		if n := r.Stats().Sockets; n > 4 || len(portsOf(s)) > 4 {
			t.Errorf("%d sockets were opened, queries came from %d ports; want at most 4", n, len(portsOf(s)))
		}
	})
}

// loopbackServer is server at a loopback address, in memory too.
func (w *world) loopbackServer(t *testing.T, h dnstest.Handler) *dnstest.Server {
	t.Helper()
	if w.memory == nil {
		return w.server(t, h)
	}
	pc, err := w.memory.ListenPacket(netip.MustParseAddrPort("127.0.0.53:53"))
	if err != nil {
		t.Fatal(err)
	}
	return dnstest.StartOn(t, pc, nil, h)
}

// TestSocketsRetire: by the number of queries and by age, unless the server is on loopback.
func TestSocketsRetire(t *testing.T) {
	for name, c := range map[string]struct {
		pause    time.Duration
		loopback bool
		want     []int // queries from each port, in the order of their first
	}{
		"by queries":              {time.Millisecond, false, []int{256, 256, 88}},
		"by age":                  {time.Second, false, []int{60, 60, 60, 60, 60, 60, 60, 60, 60, 60}},
		"by neither, on loopback": {time.Second, true, []int{600}},
	} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				s := w.server(t, good)
				if c.loopback {
					s = w.loopbackServer(t, good)
				}
				r := w.resolver(t, oneSocket, s.Addr())
				for range 600 {
					ask(t, r, 0)
					time.Sleep(c.pause)
				}
				var got []int
				last := uint16(0)
				for _, q := range s.Queries() {
					if p := q.From.Port(); p != last {
						last, got = p, append(got, 0)
					}
					got[len(got)-1]++
				}
				if len(got) != len(c.want) {
					t.Fatalf("queries a socket: %v, want %v", got, c.want)
				}
				for i := range got {
					if got[i] != c.want[i] {
						t.Errorf("queries a socket: %v, want %v", got, c.want)
						break
					}
				}
			})
		})
	}
}

// TestRetiredSocketStillReceives: a query that waits on a socket which the pool has given up is answered, and then the socket is closed.
func TestRetiredSocketStillReceives(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		var sockets counting
		sockets.wrap(&w.config.Backend)
		slow := dnstest.After(time.Second, good)
		s := w.server(t, dnstest.Seq(slow, good))
		r := w.resolver(t, func(c *resolver.Config) { oneSocket(c); c.Ports.Queries = 1 }, s.Addr())
		b := newBatch(1, nil)
		b.submit(t, r)
		time.Sleep(time.Millisecond)
		ask(t, r, 0)
		if b.completed() != 0 || sockets.open.Load() != 2 {
			t.Errorf("%d queries are done and %d sockets open, want 0 and 2", b.completed(), sockets.open.Load())
		}
		b.wait(t)
		b.succeeded(t)
		if sockets.open.Load() != 1 {
			t.Errorf("%d sockets are open, want 1", sockets.open.Load())
		}
	})
}
