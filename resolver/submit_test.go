package resolver_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// pointers are those to the queries of a batch.
func (b *batch) pointers() (qs []*resolver.Query) {
	for i := range b.queries {
		qs = append(qs, &b.queries[i])
	}
	return qs
}

// submitAll submits the queries at once, of which so many must be taken, and returns why the next was not.
func (b *batch) submitAll(t *testing.T, r *resolver.Resolver, want int) error {
	t.Helper()
	n, err := r.SubmitAll(b.pointers())
	if b.out = n; n != want || (err == nil) != (n == len(b.queries)) {
		t.Fatalf("%d of %d queries taken, %v; want %d", n, len(b.queries), err, want)
	}
	return err
}

// TestSubmitAll: many queries at once are taken in their order, up to one that is refused, and what is taken is done once.
func TestSubmitAll(t *testing.T) {
	everywhere(t, patient(func(t *testing.T, w *world) {
		r := w.resolver(t, oneShard, w.server(t, good).Addr())
		for _, n := range []int{0, 1, 2, 500} {
			b := newBatch(n, nil)
			b.submitAll(t, r, n)
			b.wait(t)
			b.succeeded(t)
		}
		bad := newBatch(10, nil)
		bad.queries[4].Name = "a..b"
		if err := bad.submitAll(t, r, 4); err == nil || !strings.Contains(err.Error(), "a..b") {
			t.Errorf("a bad name among them: %v", err)
		}
		bad.wait(t)
		r.Close()
		if err := newBatch(3, nil).submitAll(t, r, 0); !errors.Is(err, resolver.ErrClosed) {
			t.Errorf("after Close: %v, want ErrClosed", err)
		}
	}))
}

// TestSubmitAllBusy: as many are taken as there is room for.
func TestSubmitAllBusy(t *testing.T) {
	everywhere(t, hasty(func(t *testing.T, w *world) {
		const most = 5
		r := w.resolver(t, func(c *resolver.Config) { oneSocket(c); c.MaxInFlight, c.Tries = most, 1 }, w.server(t, dnstest.Silent).Addr())
		b := newBatch(most+3, nil)
		if err := b.submitAll(t, r, most); !errors.Is(err, resolver.ErrBusy) {
			t.Errorf("beyond MaxInFlight: %v, want ErrBusy", err)
		}
		if none := newBatch(2, nil); !errors.Is(none.submitAll(t, r, 0), resolver.ErrBusy) {
			t.Error("with no room at all: not ErrBusy")
		}
		b.wait(t)
		if st := r.Stats(); st.InFlight != 0 || st.Submitted != most || st.Busy != 2 {
			t.Errorf("stats %+v", st)
		}
	}))
}
