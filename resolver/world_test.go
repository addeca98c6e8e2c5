package resolver_test

import (
	"net/netip"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/backend/backendtest"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// world is where a test runs: an in-memory network with a time of its own, or loopback with one poller and one backend.
type world struct {
	memory *backendtest.Network // nil on loopback
	config resolver.Config      // backend, poller and a timeout that suits the world
	slack  time.Duration        // what may be late
	ports  uint16
}

// inMemory runs f in a bubble, on an in-memory network.
func inMemory(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		poller, err := ioevent.Named("chan")
		if err != nil {
			t.Fatal(err)
		}
		n := backendtest.NewNetwork()
		defer n.Close()
		f(t, &world{memory: n, config: resolver.Config{Backend: n.Backend(), Poller: poller, Shards: 1, Timeout: 2 * time.Second}})
	})
}

// onLoopback runs f for each poller and backend that work here and together.
func onLoopback(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	for _, p := range ioevent.List() {
		for _, b := range backend.List() {
			if !together(p, b) {
				continue
			}
			t.Run("poller="+p.Name+"/backend="+b.Name, func(t *testing.T) {
				if err := p.Probe(); err != nil {
					require.Skip(t, "poller %s does not work here: %v", p.Name, err)
				}
				if err := b.Probe(); err != nil {
					require.Skip(t, "backend %s does not work here: %v", b.Name, err)
				}
				f(t, &world{config: resolver.Config{Backend: b, Poller: p, Timeout: 300 * time.Millisecond}, slack: 250 * time.Millisecond})
			})
		}
	}
}

// together reports whether the environment asks for this pair, and whether they fit: the portable poller watches no descriptors, and only
// the net backend does without. That one is run with the portable poller alone.
func together(p ioevent.Mechanism, b backend.Backend) bool {
	if f := require.Poller(); f != "" && f != p.Name {
		return false
	}
	if f := require.Backend(); f != "" && f != b.Name {
		return false
	}
	return p.Files == b.Descriptors
}

// everywhere runs f in memory and on loopback.
func everywhere(t *testing.T, f func(t *testing.T, w *world)) {
	t.Run("memory", func(t *testing.T) { inMemory(t, f) })
	onLoopback(t, f)
}

// withTCP is f for a test that needs TCP. On loopback it is left out where package net has no UDP and TCP on one port, as on js; the in-memory
// network has both.
func withTCP(f func(t *testing.T, w *world)) func(t *testing.T, w *world) {
	return func(t *testing.T, w *world) {
		if w.memory == nil && !dnstest.Streams {
			t.Skip("no UDP and TCP on one port here")
		}
		f(t, w)
	}
}

// address returns a new address of the in-memory network.
func (w *world) address() netip.AddrPort {
	w.ports++
	return netip.MustParseAddrPort("192.0.2." + strconv.Itoa(int(w.ports)) + ":53")
}

// server starts a scripted server.
func (w *world) server(t *testing.T, h dnstest.Handler) *dnstest.Server {
	t.Helper()
	if w.memory == nil {
		return dnstest.Start(t, h)
	}
	at := w.address()
	pc, err := w.memory.ListenPacket(at)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := w.memory.Listen(at)
	if err != nil {
		t.Fatal(err)
	}
	return dnstest.StartOn(t, pc, ln, h)
}

// nobody returns an address where nobody listens.
func (w *world) nobody(t *testing.T) netip.AddrPort {
	if w.memory == nil {
		return dnstest.Nobody(t)
	}
	return w.address()
}

// fromElsewhere has what h sends come from another port of its server.
func (w *world) fromElsewhere(t *testing.T, h dnstest.Handler) dnstest.Handler {
	if w.memory == nil {
		return dnstest.FromOtherPort(h)
	}
	pc, err := w.memory.ListenPacket(netip.AddrPortFrom(w.address().Addr(), 5353))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pc.Close() })
	return dnstest.FromSocket(pc, h)
}

// resolver makes a resolver that asks these servers.
func (w *world) resolver(t *testing.T, change func(*resolver.Config), servers ...netip.AddrPort) *resolver.Resolver {
	t.Helper()
	r, err := resolver.New(w.configFor(change, servers))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// engine is the same for an engine.
func (w *world) engine(t testing.TB, change func(*resolver.Config), servers ...netip.AddrPort) *resolver.Engine {
	t.Helper()
	e, err := resolver.NewEngine(w.configFor(change, servers))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// configFor is the world's configuration with these servers, and changed.
func (w *world) configFor(change func(*resolver.Config), servers []netip.AddrPort) resolver.Config {
	cfg := w.config
	for _, s := range servers {
		cfg.Servers = append(cfg.Servers, resolver.Server{Addr: s})
	}
	if change != nil {
		change(&cfg)
	}
	return cfg
}
