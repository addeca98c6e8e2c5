package resolver_test

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// silents starts n silent servers.
func (w *world) silents(t *testing.T, n int, h dnstest.Handler) (list []netip.AddrPort) {
	for range n {
		list = append(list, w.server(t, h).Addr())
	}
	return list
}

// TestDeadline: whatever the number of servers and tries, a query ends at its deadline, to the nanosecond, or earlier where all tries are over.
func TestDeadline(t *testing.T) {
	hang := dnstest.Transports(dnstest.Truncated(), dnstest.Silent)
	for _, servers := range []int{1, 2, 4, 7} {
		for _, tries := range []int{1, 3, 100} {
			for _, deadline := range []time.Duration{1, time.Millisecond, 999 * time.Millisecond, 5 * time.Second, 7*time.Second + 1, 0} {
				for name, h := range map[string]dnstest.Handler{"silent": dnstest.Silent, "hanging": hang} {
					want := time.Duration(servers*tries) * 2 * time.Second
					if deadline != 0 {
						want = min(want, deadline)
					}
					t.Run(fmt.Sprint(name, " ", servers, "x", tries, " in ", deadline), func(t *testing.T) {
						inMemory(t, func(t *testing.T, w *world) {
							r := w.resolver(t, func(c *resolver.Config) { c.Tries = tries }, w.silents(t, servers, h)...)
							endsAfter(t, w, r, deadline, want)
						})
					})
				}
			}
		}
	}
}

// endsAfter asks with a deadline, by the context and then by the query's own, and fails unless each ends with a timeout when it should.
func endsAfter(t *testing.T, w *world, r *resolver.Resolver, deadline, want time.Duration) {
	t.Helper()
	ctx, q := context.Background(), resolver.Query{Question: www}
	watch := w.start()
	if deadline != 0 {
		q.Deadline = ioevent.Now() + ioevent.Time(deadline)
	}
	_, err := r.ExchangeQuery(ctx, q)
	watch.lasted(t, want)
	isTimeout(t, err)
	watch = w.start()
	if deadline != 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, deadline)
		defer cancel()
	}
	_, err = r.Exchange(ctx, www)
	watch.lasted(t, want)
	isTimeout(t, err)
}

// TestDeadlineOnLoopback: the same in real time.
func TestDeadlineOnLoopback(t *testing.T) {
	onLoopback(t, withTCP(func(t *testing.T, w *world) {
		for _, h := range []dnstest.Handler{dnstest.Silent, dnstest.Transports(dnstest.Truncated(), dnstest.Silent)} {
			r := w.resolver(t, func(c *resolver.Config) { c.Timeout = time.Second }, w.silents(t, 4, h)...)
			endsAfter(t, w, r, 150*time.Millisecond, 150*time.Millisecond)
		}
	}))
}

// TestEveryServerHasItsTurn: silent servers do not use up the time of the good one behind them (hickory-dns 85a6c33c7, 2383cc5c2).
func TestEveryServerHasItsTurn(t *testing.T) {
	for _, deadline := range []time.Duration{100 * time.Millisecond, 5 * time.Second} {
		for _, timeout := range []time.Duration{2 * time.Second, 5 * time.Second} {
			inMemory(t, func(t *testing.T, w *world) {
				list := append(w.silents(t, 3, dnstest.Silent), w.server(t, good).Addr())
				ctx, cancel := context.WithTimeout(t.Context(), deadline)
				defer cancel()
				watch := w.start()
				a, err := w.resolver(t, func(c *resolver.Config) { c.Timeout = timeout }, list...).Exchange(ctx, www)
				watch.lasted(t, deadline/4*3)
				if err != nil || a.Server != list[3] {
					t.Errorf("deadline %v, timeout %v: %v, %v", deadline, timeout, a, err)
				}
			})
		}
	}
}

// TestManyTries: each wait of very many is as long as the first (c-ares#1144).
func TestManyTries(t *testing.T) {
	const tries = 70
	inMemory(t, func(t *testing.T, w *world) {
		var mu sync.Mutex
		var at []time.Time
		s := w.server(t, func(*dnstest.Writer, dnstest.Request) {
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Now())
		})
		r := w.resolver(t, func(c *resolver.Config) { c.Tries, c.Timeout = tries, time.Millisecond }, s.Addr())
		watch := w.start()
		askFails(t, r, 0, resolver.ErrTimeout)
		watch.lasted(t, tries*time.Millisecond)
		for i := 1; i < len(at); i++ {
			if wait := at[i].Sub(at[i-1]); wait != time.Millisecond {
				t.Errorf("wait %d was %v", i, wait)
			}
		}
		watch = w.start()
		askFails(t, w.resolver(t, func(c *resolver.Config) { c.Tries, c.Timeout = tries, time.Millisecond }, w.nobody(t)), 0, backend.ErrRefused)
		watch.lasted(t, 0)
	})
}

// TestWaitForDescriptors: where the machine is short of something, the waits grow up to a bound, and end with the try, or with the deadline.
func TestWaitForDescriptors(t *testing.T) {
	for _, timeout := range []time.Duration{time.Nanosecond, 100 * time.Millisecond, time.Minute} {
		inMemory(t, func(t *testing.T, w *world) {
			opens := 0
			w.config.Backend.Open = func(backend.Config) (backend.Socket, error) {
				opens++
				return nil, backend.ErrNoFiles
			}
			r := w.resolver(t, func(c *resolver.Config) { c.Timeout, c.Tries = timeout, 2 }, w.address(), w.address())
			began := time.Now()
			e := askFails(t, r, 0, backend.ErrNoFiles)
			if took := time.Since(began); took > 4*timeout || took < 4*(timeout-128*time.Millisecond) {
				t.Errorf("gave up after %v, want nearly 4 tries of %v", took, timeout)
			}
			if most := 4 * (10 + int(timeout/(128*time.Millisecond))); opens > most {
				t.Errorf("tried %d times to open a socket, want at most %d", opens, most)
			}
			if len(e.Attempts) != 4 {
				t.Errorf("%d attempts, want 4", len(e.Attempts))
			}
			endsAtDeadline(t, w, r, timeout*3/2)
		})
	}
}

func endsAtDeadline(t *testing.T, w *world, r *resolver.Resolver, deadline time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	watch := w.start()
	if _, err := r.Exchange(ctx, www); err == nil {
		t.Error("succeeded")
	}
	watch.lasted(t, min(deadline, time.Since(watch.began)))
}

// TestPassedDeadline: nothing is sent.
func TestPassedDeadline(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		s := w.server(t, good)
		r := w.resolver(t, nil, s.Addr())
		time.Sleep(time.Second)
		_, err := r.ExchangeQuery(context.Background(), resolver.Query{Question: www, Deadline: ioevent.Now()})
		isTimeout(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 0)
		defer cancel()
		_, err = r.Exchange(ctx, www)
		isTimeout(t, err)
		if n := s.Counts().UDP; n != 0 {
			t.Errorf("%d queries were sent", n)
		}
	})
}
