package resolver_test

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// TestFailureCodesGoOn: a failure code, with a question or as a bare header, sends the query to the next server at once
// (glibc BZ#31890, BZ#30081).
func TestFailureCodesGoOn(t *testing.T) {
	for _, code := range []int{dns.RcodeServerFailure, dns.RcodeNotImplemented, dns.RcodeRefused, dns.RcodeNotAuth, 15} {
		for name, h := range map[string]dnstest.Handler{"bare": dnstest.HeaderOnly(code), "whole": dnstest.Rcode(code)} {
			t.Run(dns.RcodeToString[code]+"/"+name, func(t *testing.T) {
				inBoth(t, func(t *testing.T, w *world) {
					one, two := w.server(t, h), w.server(t, dnstest.A(otherAddr))
					watch := w.start()
					a := ask(t, w.resolver(t, nil, one.Addr(), two.Addr()), 0)
					watch.lasted(t, 0)
					if got := outcome(t, a, nil, one, two); got != "2" || a.Attempts[0].Rcode != code {
						t.Errorf("ended as %s after %+v", got, a.Attempts)
					}
					// NOTIMP may mean EDNS: that server is asked once more, without.
					if asked, most := one.Counts().UDP, 1+b2i(code == dns.RcodeNotImplemented); asked != most {
						t.Errorf("server 1 was asked %d times, want %d", asked, most)
					}
				})
			})
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestAnswersEndTheQuery: these codes are answers, not failures.
func TestAnswersEndTheQuery(t *testing.T) {
	for _, code := range []int{dns.RcodeSuccess, dns.RcodeNameError, dns.RcodeYXDomain, dns.RcodeYXRrset, dns.RcodeNXRrset} {
		inMemory(t, func(t *testing.T, w *world) {
			one, two := w.server(t, dnstest.Rcode(code)), w.server(t, good)
			a := ask(t, w.resolver(t, nil, one.Addr(), two.Addr()), 0)
			if a.Server != one.Addr() || int(a.Rcode) != code || two.Counts().UDP != 0 {
				t.Errorf("%s: %v gave %d", dns.RcodeToString[code], a.Server, a.Rcode)
			}
		})
	}
}

// TestAllFail: where nobody has a better one, the last failure is the answer, and nobody is asked twice.
func TestAllFail(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		one, two := w.server(t, dnstest.Rcode(dns.RcodeServerFailure)), w.server(t, dnstest.HeaderOnly(dns.RcodeRefused))
		a := ask(t, w.resolver(t, nil, one.Addr(), two.Addr()), 0)
		if a.Server != two.Addr() || a.Rcode != dns.RcodeRefused || len(a.Raw) != 12 || len(a.Attempts) != 2 {
			t.Errorf("answer %+v", a)
		}
	})
}

// TestFailureBeforeDeadline: a failure reply is given rather than a timeout.
func TestFailureBeforeDeadline(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		one, two := w.server(t, dnstest.Rcode(dns.RcodeServerFailure)), w.server(t, dnstest.Silent)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		watch := w.start()
		a, err := w.resolver(t, nil, one.Addr(), two.Addr()).Exchange(ctx, www)
		watch.lasted(t, 5*time.Second)
		if err != nil || a.Rcode != dns.RcodeServerFailure {
			t.Errorf("exchange = %v, %v; want SERVFAIL", a, err)
		}
	})
}

// TestSilentServerIsLeft: timeouts count as failures (c-ares#650): from the second query on the other server is first.
func TestSilentServerIsLeft(t *testing.T) {
	everywhere(t, hasty(func(t *testing.T, w *world) {
		one, two := w.server(t, dnstest.Silent), w.server(t, dnstest.A(otherAddr))
		r := w.resolver(t, oneShard, one.Addr(), two.Addr())
		for range 20 {
			if a := ask(t, r, 0); a.Server != two.Addr() {
				t.Fatalf("%v answered", a.Server)
			}
		}
		if n := one.Counts().UDP; n != 1 {
			t.Errorf("the silent server was asked %d times, want once", n)
		}
	}))
}

// TestRecoveredServerIsUsedAgain: within ten seconds.
func TestRecoveredServerIsUsedAgain(t *testing.T) {
	for name, broken := range map[string]dnstest.Handler{"silent": dnstest.Silent, "closed": dnstest.Transports(dnstest.Truncated(), dnstest.Reset)} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				one, two := w.server(t, broken), w.server(t, dnstest.A(otherAddr))
				r := w.resolver(t, nil, one.Addr(), two.Addr())
				ask(t, r, 0)
				began := time.Now()
				one.Handle(good)
				for used := false; !used; time.Sleep(time.Second / 4) {
					used = ask(t, r, 0).Server == one.Addr()
					if time.Since(began) > 10*time.Second {
						t.Fatal("the recovered server was not used again within 10 s")
					}
				}
			})
		})
	}
}

// TestAllDownAreAskedAllTheSame: in order.
func TestAllDownAreAskedAllTheSame(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		one, two := w.server(t, dnstest.Silent), w.server(t, dnstest.Silent)
		r := w.resolver(t, nil, one.Addr(), two.Addr())
		askFails(t, r, 0, resolver.ErrTimeout)
		one.Handle(good)
		two.Handle(dnstest.A(otherAddr))
		if a := ask(t, r, 0); a.Server != one.Addr() {
			t.Errorf("%v answered, want the first", a.Server)
		}
	})
}

// TestEveryoneBroken: opening a socket or sending always fails, and there are very many tries: the query ends, soon, and the stack stays flat
// (c-ares#1043).
func TestEveryoneBroken(t *testing.T) {
	broken := errors.New("broken on purpose")
	const tries = 100
	for name, spoil := range map[string]func(*backend.Backend){
		"open": func(b *backend.Backend) {
			b.Open = func(backend.Config) (backend.Socket, error) { return nil, broken }
		},
		"send": func(b *backend.Backend) { failingSends(b, 0, broken) },
	} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				spoil(&w.config.Backend)
				var list []netip.AddrPort
				for range 10 {
					list = append(list, w.address())
				}
				e := askFails(t, w.resolver(t, func(c *resolver.Config) { c.Tries = tries }, list...), 0, broken)
				if len(e.Attempts) == 0 || len(e.Attempts) > len(list)*tries {
					t.Errorf("%d attempts", len(e.Attempts))
				}
			})
		})
	}
}

// failingSends has each socket's sends fail after the first so many datagrams.
func failingSends(b *backend.Backend, good int, err error) {
	open := b.Open
	b.Open = func(c backend.Config) (backend.Socket, error) {
		s, openErr := open(c)
		return &failingSocket{Socket: s, good: good, err: err}, openErr
	}
}

type failingSocket struct {
	backend.Socket
	good int
	err  error
}

func (s *failingSocket) Send(batch []backend.Datagram) (int, error) {
	n := min(s.good, len(batch))
	s.good -= n
	if n > 0 {
		if k, err := s.Socket.Send(batch[:n]); k < n || err != nil {
			return k, err
		}
	}
	if n < len(batch) {
		return n, s.err
	}
	return n, nil
}

// TestResendFails: what a reply makes necessary cannot be sent, while another reply waits in the same batch (CVE-2025-31498, CVE-2025-62408).
func TestResendFails(t *testing.T) {
	for name, h := range map[string]dnstest.Handler{
		"without EDNS": dnstest.Rcode(dns.RcodeFormatError), "over TCP": dnstest.Truncated(), "next server": dnstest.Rcode(dns.RcodeServerFailure),
	} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				failingSends(&w.config.Backend, 2, backend.ErrRefused)
				w.config.Backend.Dial = func(backend.Config) (backend.Stream, error) { return nil, backend.ErrRefused }
				s := w.server(t, dnstest.Gather(2, dnstest.InOrder, h))
				r := w.resolver(t, oneSocket, s.Addr(), w.nobody(t))
				b := newBatch(2, nil)
				b.submit(t, r)
				b.wait(t)
				if st := r.Stats(); st.InFlight != 0 || st.Received != 2 {
					t.Errorf("%d in flight, %d received", st.InFlight, st.Received)
				}
			})
		})
	}
}

// TestOrderOfServers: least asked first, then in order, round after round.
func TestOrderOfServers(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		var mu sync.Mutex
		var order []int
		var list []netip.AddrPort
		for i := range 3 {
			list = append(list, w.server(t, func(*dnstest.Writer, dnstest.Request) {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, i)
			}).Addr())
		}
		askFails(t, w.resolver(t, nil, list...), 0, resolver.ErrTimeout)
		if want := []int{0, 1, 2, 0, 1, 2, 0, 1, 2}; !slices.Equal(order, want) {
			t.Errorf("asked in the order %v, want %v", order, want)
		}
	})
}
