package resolver_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// TestStrayInside: a Stray may submit, cancel, close and panic, and may not block.
func TestStrayInside(t *testing.T) {
	overEach(t, func(t *testing.T, w *world, flags resolver.Flags) {
		server := w.server(t, dnstest.Each(map[string]dnstest.Handler{"": dnstest.Times(3, dnstest.WrongID(good)), "next.example.": good}))
		var e *resolver.Engine
		b := newBatch(20, nil)
		next, told := false, 0
		act := func(*resolver.Stray) {
			switch told++; told {
			case 1:
				q := &resolver.Query{Question: named("next.example."), Flags: flags, Done: func(_ *resolver.Query, _ *resolver.Reply, err error) { next = err == nil }}
				if err := e.Submit(q); err != nil {
					t.Error(err)
				}
			case 2:
				if !e.Cancel(&b.queries[0]) || b.completed() != 0 || e.Run() == nil {
					t.Error("not canceled, or done inside, or run inside")
				}
			case 3:
				panic("stray")
			}
			if next {
				if err := e.Close(); b.completed() != 1 && err == nil {
					t.Errorf("%d done inside", b.completed())
				}
			}
		}
		var values []any
		e = w.engine(t, func(c *resolver.Config) {
			oneSocket(c)
			c.NearMisses, c.Stray = -1, act
			c.Panic = func(q *resolver.Query, v any) { values = append(values, q == nil, v) }
		}, server.Addr())
		for i := range b.queries {
			b.queries[i].Flags, b.queries[i].Name = flags, fmt.Sprintf("q%d.example", i) // another's ID with this question would be its answer
		}
		b.submit(t, e)
		drive(t, e, func() bool { return next })
		again := resolver.Query{Question: www, Flags: flags, Done: func(*resolver.Query, *resolver.Reply, error) {}}
		if err := e.Submit(&again); err != nil && !errors.Is(err, resolver.ErrClosed) {
			t.Fatal(err)
		}
		drive(t, e, func() bool { return b.completed() == len(b.queries) })
		b.once(t)
		for i, err := range b.errs {
			if want := map[bool]error{true: resolver.ErrCanceled, false: resolver.ErrClosed}[i == 0]; !errors.Is(err, want) {
				t.Errorf("query %d: %v, want %v", i, err, want)
			}
		}
		if !slices.Equal(values, []any{true, "stray"}) || e.Stats().Panics != 1 {
			t.Errorf("panics told: %v, %d counted", values, e.Stats().Panics)
		}
	})
}

// TestStrayOfResolver: with shards it is told on their goroutines, where a blocking call is refused.
func TestStrayOfResolver(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		errs := make(chan error, 1)
		var r *resolver.Resolver
		r = w.resolver(t, func(c *resolver.Config) {
			oneSocket(c)
			c.Stray = func(*resolver.Stray) {
				_, err := r.Exchange(context.Background(), www)
				errs <- err
			}
		}, w.server(t, dnstest.All(good, good)).Addr())
		ask(t, r, 0)
		if err := <-errs; err == nil {
			t.Error("a blocking call inside Stray was answered")
		}
		if st := r.Stats(); st.Duplicate != 1 || st.UnknownID != 1 {
			t.Errorf("%d duplicates of %d unknown IDs, want 1 of 1", st.Duplicate, st.UnknownID)
		}
	})
}
