package resolver_test

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// TestCancelAllInsideDone: the first Done cancels all the others and closes, on the way of a reply and of a timeout (CVE-2026-33630).
func TestCancelAllInsideDone(t *testing.T) {
	const n = 100
	for name, h := range map[string]dnstest.Handler{"reply": good, "timeout": dnstest.Silent, "reset": dnstest.Transports(dnstest.Truncated(), dnstest.Reset)} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, w *world) {
				r := w.resolver(t, func(c *resolver.Config) { oneSocket(c); c.Tries = 1 }, w.server(t, h).Addr())
				var first atomic.Bool
				b := newBatch(n, nil)
				b.done = func(int, *resolver.Reply, error) {
					if first.Swap(true) {
						return
					}
					for i := range b.sent.Load() {
						r.Cancel(&b.queries[i])
					}
					r.Close()
				}
				b.submitUntilClosed(t, r)
				b.wait(t)
			})
			inMemory(t, func(t *testing.T, w *world) { cancelsInEngine(t, w, h) })
		})
	}
}

// submitUntilClosed submits the queries until the first is refused with ErrClosed.
func (b *batch) submitUntilClosed(t *testing.T, r *resolver.Resolver) {
	t.Helper()
	for i := range b.queries {
		switch err := r.Submit(&b.queries[i]); {
		case errors.Is(err, resolver.ErrClosed):
			return
		case err != nil:
			t.Errorf("submission %d: %v", i, err)
			return
		}
		b.out++
		b.sent.Add(1)
	}
}

// cancelsInEngine is the same on one goroutine, where each cancellation hits.
func cancelsInEngine(t *testing.T, w *world, h dnstest.Handler) {
	t.Helper()
	e := w.engine(t, func(c *resolver.Config) { c.Tries = 1 }, w.server(t, h).Addr())
	b := newBatch(100, nil)
	canceled := 0
	b.done = func(i int, _ *resolver.Reply, _ error) {
		for j := range b.queries {
			if e.Cancel(&b.queries[j]) {
				canceled++
			}
		}
		e.Close()
	}
	b.submit(t, e)
	drive(t, e, func() bool { return b.completed() > 0 })
	b.once(t)
	for _, err := range b.errs {
		if canceled--; errors.Is(err, resolver.ErrCanceled) {
			continue
		}
		canceled++
	}
	if canceled != 0 || e.Submit(&b.queries[0]) == nil || e.Cancel(&b.queries[0]) || e.IOEvent(0) != 0 || e.Close() == nil {
		t.Errorf("canceled queries and ErrCanceled differ by %d, or the closed engine still does something", canceled)
	}
}

// TestSubmitInsideDone: a query may go again, itself, inside its own Done.
func TestSubmitInsideDone(t *testing.T) {
	const rounds = 200
	everywhere(t, func(t *testing.T, w *world) {
		r := w.resolver(t, nil, w.server(t, good).Addr())
		left, ended := rounds, make(chan error, 1)
		q := resolver.Query{Question: www}
		q.Done = func(q *resolver.Query, _ *resolver.Reply, err error) {
			if left--; err != nil || left == 0 {
				ended <- err
				return
			}
			if err := r.Submit(q); err != nil {
				ended <- err
			}
		}
		if err := r.Submit(&q); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil || left != 0 {
			t.Errorf("%v with %d rounds left", err, left)
		}
	})
}

// TestCancelInsideDone: of another query, which gets ErrCanceled, once, after the Done that canceled it.
func TestCancelInsideDone(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		e := w.engine(t, nil, w.server(t, dnstest.Seq(good, dnstest.Silent)).Addr())
		var running bool
		b := newBatch(2, nil)
		b.done = func(i int, _ *resolver.Reply, _ error) {
			if running {
				t.Error("a Done was called inside another")
			}
			running = true
			if other := 1 - i; i == 0 && (!e.Cancel(&b.queries[other]) || e.Cancel(&b.queries[other])) {
				t.Error("the first Cancel says it did nothing, or the second that it did something")
			}
			if e.Timeouts(0) < 1<<62 || e.IOEvent(0) != 0 {
				t.Error("the engine turned inside Done")
			}
			running = false
		}
		oneAfterTheOther(t, e, b)
		if b.once(t); b.errs[0] != nil || !errors.Is(b.errs[1], resolver.ErrCanceled) || !errors.Is(b.errs[1], context.Canceled) {
			t.Errorf("errors %v, want none and ErrCanceled", b.errs)
		}
	})
}

// oneAfterTheOther has the first query be the first to leave.
func oneAfterTheOther(t *testing.T, e *resolver.Engine, b *batch) {
	t.Helper()
	b.submit(t, e)
	drive(t, e, func() bool { return b.completed() == 2 })
}

// TestPanicInsideDone: it harms no other query, is counted and told.
func TestPanicInsideDone(t *testing.T) {
	const n = 20
	everywhere(t, func(t *testing.T, w *world) {
		var told atomic.Int64
		change := func(c *resolver.Config) {
			c.Panic = func(_ *resolver.Query, v any) {
				if v == "on purpose" {
					told.Add(1)
				}
			}
		}
		r := w.resolver(t, change, w.server(t, good).Addr())
		b, calm := newBatch(n, nil), newBatch(n, nil)
		for i := range b.queries {
			b.queries[i].Done = func(*resolver.Query, *resolver.Reply, error) {
				b.calls[i].Add(1)
				panic("on purpose")
			}
		}
		b.submit(t, r)
		calm.submit(t, r)
		b.wait(t)
		calm.wait(t)
		calm.succeeded(t)
		if st := r.Stats(); st.Panics != n || told.Load() != n || st.InFlight != 0 {
			t.Errorf("%d panics counted, %d told, %d in flight; want %d, %d, 0", st.Panics, told.Load(), st.InFlight, n, n)
		}
	})
}

// TestBlockingCallInsideDone: it returns an error instead of waiting for itself.
func TestBlockingCallInsideDone(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		r := w.resolver(t, nil, w.server(t, good).Addr())
		got := make(chan error, 3)
		b := newBatch(1, func(int, *resolver.Reply, error) {
			_, err := r.Exchange(context.Background(), www)
			got <- err
			_, err = r.LookupNetIP(context.Background(), "ip", www.Name)
			got <- err
			if r.Stats().Completed == 0 {
				got <- nil
			} else {
				got <- errors.New("stats are fine")
			}
		})
		b.submit(t, r)
		b.wait(t)
		for range 3 {
			if err := <-got; err == nil {
				t.Error("a blocking call inside Done went through")
			}
		}
		ask(t, r, 0) // and outside all is well
	})
}

// TestCloseInsideDone: of a Resolver with several shards, with others closing too: all end, and nothing is left waiting.
func TestCloseInsideDone(t *testing.T) {
	const n = 200
	everywhere(t, func(t *testing.T, w *world) {
		r := w.resolver(t, func(c *resolver.Config) { c.Shards = 4 }, w.server(t, good).Addr(), w.server(t, dnstest.Silent).Addr())
		var closed, refused atomic.Int64
		b := newBatch(n, func(int, *resolver.Reply, error) {
			if r.Close() == nil {
				closed.Add(1)
			} else {
				refused.Add(1)
			}
		})
		b.submitUntilClosed(t, r)
		b.wait(t)
		if closed.Load() != 1 || closed.Load()+refused.Load() != int64(b.out) {
			t.Errorf("%d calls of Close returned nil and %d an error, want 1 and the rest of %d", closed.Load(), refused.Load(), b.out)
		}
		if err := r.Submit(&newBatch(1, nil).queries[0]); !errors.Is(err, resolver.ErrClosed) || !errors.Is(err, net.ErrClosed) {
			t.Errorf("Submit after Close: %v", err)
		}
		if _, err := r.Exchange(context.Background(), www); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Exchange after Close: %v", err)
		}
	})
}

// TestCloseEndsWhatWaits: with ErrClosed, before it returns.
func TestCloseEndsWhatWaits(t *testing.T) {
	everywhere(t, withTCP(func(t *testing.T, w *world) {
		r := w.resolver(t, nil, w.server(t, dnstest.Silent).Addr(), w.server(t, dnstest.Transports(dnstest.Truncated(), dnstest.Silent)).Addr())
		b := newBatch(100, nil)
		for i := range b.queries {
			if i%3 == 0 {
				b.queries[i].Flags = resolver.OverTCP
			}
		}
		b.submit(t, r)
		time.Sleep(time.Millisecond)
		r.Close()
		b.once(t)
		for i, err := range b.errs {
			if !errors.Is(err, resolver.ErrClosed) {
				t.Errorf("query %d: %v, want ErrClosed", i, err)
			}
		}
	}))
}

// TestStatsInsideDone: Dones of several shards that ask for all counters at once, and one that closes, do not wait for each other.
func TestStatsInsideDone(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		r := w.resolver(t, func(c *resolver.Config) { c.Shards = 4 }, w.server(t, good).Addr())
		const n = 400
		b := newBatch(n, nil)
		var calls atomic.Int32
		b.done = func(int, *resolver.Reply, error) {
			if s := r.Stats(); s.Completed == 0 {
				t.Error("no query is counted as completed inside a Done")
			}
			if calls.Add(1) == n/2 {
				r.Close()
			}
		}
		b.submitUntilClosed(t, r)
		b.wait(t)
	})
}
