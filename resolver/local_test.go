package resolver_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// leavesFrom fails unless queries to a server leave from the Local of each over both transports, from sockets and connections that are its own.
func leavesFrom(t *testing.T, w *world, locals ...string) {
	s := w.server(t, good)
	r := w.resolver(t, oneShard, s.Addr())
	for range 2 {
		for _, local := range locals {
			at := resolver.Server{Addr: s.Addr(), Local: netip.MustParseAddr(local)}
			for _, flags := range []resolver.Flags{0, resolver.OverTCP} {
				if _, err := r.ExchangeQuery(context.Background(), resolver.Query{Question: www, Flags: flags, Servers: []resolver.Server{at}}); err != nil {
					t.Fatal(err)
				}
				seen := s.Queries()
				if from := seen[len(seen)-1].From.Addr(); from != at.Local {
					t.Errorf("flags %v: the query came from %v, want %v", flags, from, local)
				}
			}
		}
	}
	if n := s.Counts().Conns; n != len(locals) {
		t.Errorf("%d connections from %d addresses", n, len(locals))
	}
}

// TestLocal: each address of this machine has sockets and a connection of its own.
func TestLocal(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) { leavesFrom(t, w, "192.0.2.101", "192.0.2.102") })
}

// TestLocalBesidesSocket: the address of the server goes before that of all sockets, which holds for the others.
func TestLocalBesidesSocket(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		w.config.Socket.Local = netip.MustParseAddrPort("192.0.2.100:0")
		leavesFrom(t, w, "192.0.2.101", "192.0.2.100")
		s := w.server(t, good)
		ask(t, w.resolver(t, nil, s.Addr()), 0)
		if from := s.Queries()[0].From.Addr(); from != w.config.Socket.Local.Addr() {
			t.Errorf("the query came from %v, want %v", from, w.config.Socket.Local)
		}
	})
}

// TestLocalOfTheOtherFamily is refused, and both addresses are named.
func TestLocalOfTheOtherFamily(t *testing.T) {
	mapped := resolver.Server{Addr: netip.MustParseAddrPort("192.0.2.1:53"), Local: netip.MustParseAddr("::ffff:192.0.2.2")}
	r, err := resolver.New(resolver.Config{Servers: []resolver.Server{mapped}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for addr, local := range map[string]string{"192.0.2.1:53": "2001:db8::2", "[2001:db8::1]:53": "192.0.2.2"} {
		s := resolver.Server{Addr: netip.MustParseAddrPort(addr), Local: netip.MustParseAddr(local)}
		_, asked := r.ExchangeQuery(context.Background(), resolver.Query{Question: www, Servers: []resolver.Server{s}})
		_, made := resolver.New(resolver.Config{Servers: []resolver.Server{s}})
		for _, err := range []error{asked, made} {
			if err == nil || !strings.Contains(err.Error(), addr) || !strings.Contains(err.Error(), local) {
				t.Errorf("server %v from %v: %v, want an error that names both", addr, local, err)
			}
		}
	}
}

// TestLocalNotHere: an address that this machine does not have is an error of the system's.
func TestLocalNotHere(t *testing.T) {
	if !dnstest.Streams {
		t.Skip("the network that Go has within the process, as on js, has every address")
	}
	onPreferred(t, func(t *testing.T, w *world) {
		s := w.server(t, good)
		r := w.resolver(t, nil)
		away := resolver.Server{Addr: s.Addr(), Local: netip.MustParseAddr("192.0.2.1")}
		_, err := r.ExchangeQuery(context.Background(), resolver.Query{Question: www, Flags: resolver.Once, Servers: []resolver.Server{away}})
		if err == nil || !strings.Contains(err.Error(), "bind") {
			t.Errorf("%v, want an error of bind", err)
		}
	})
}
