package resolver_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// www is what most tests ask.
var www = resolver.Question{Name: "www.example.com", Type: dns.TypeA}

// named is www for another name.
func named(name string) resolver.Question { return resolver.Question{Name: name, Type: dns.TypeA} }

// ask asks www and fails the test where there is no answer.
func ask(t *testing.T, r *resolver.Resolver, flags resolver.Flags) *resolver.Answer {
	t.Helper()
	a, err := r.ExchangeQuery(context.Background(), resolver.Query{Question: www, Flags: flags})
	if err != nil {
		t.Fatalf("exchange: %v", err)
	}
	return a
}

// askFails asks www and fails the test unless the exchange fails, for the reason given where that is not nil.
func askFails(t *testing.T, r *resolver.Resolver, flags resolver.Flags, reason error) *resolver.Error {
	t.Helper()
	a, err := r.ExchangeQuery(context.Background(), resolver.Query{Question: www, Flags: flags})
	var e *resolver.Error
	if !errors.As(err, &e) || reason != nil && !errors.Is(err, reason) {
		t.Fatalf("exchange = %v, %v; want an *Error: %v", a, err, reason)
	}
	return e
}

// held returns the addresses that a holds.
func held(t *testing.T, a *resolver.Answer) string {
	t.Helper()
	addrs, _, err := a.Addrs()
	if err != nil {
		t.Errorf("addresses: %v", err)
	}
	var text []string
	for _, addr := range addrs {
		text = append(text, addr.String())
	}
	return strings.Join(text, " ")
}

// lasted fails unless want has passed since began: exactly so in memory, at most the slack more on loopback.
func (w *world) lasted(t *testing.T, began time.Time, want time.Duration) {
	t.Helper()
	if took := time.Since(began); took < want || took > want+w.slack {
		t.Errorf("took %v, want %v (+%v)", took, want, w.slack)
	}
}

// batch is queries of www for a Submit, which count their completions.
type batch struct {
	queries []resolver.Query
	calls   []atomic.Int32
	errs    []error
	done    func(i int, r *resolver.Reply, err error) // may be nil
	out     int                                       // submitted
}

func newBatch(n int, done func(i int, r *resolver.Reply, err error)) *batch {
	b := &batch{queries: make([]resolver.Query, n), calls: make([]atomic.Int32, n), errs: make([]error, n), done: done}
	for i := range b.queries {
		b.queries[i].Question = www
		b.queries[i].Done = func(_ *resolver.Query, r *resolver.Reply, err error) {
			b.errs[i] = err
			if b.done != nil {
				b.done(i, r, err)
			}
			b.calls[i].Add(1)
		}
	}
	return b
}

// submit submits the queries; each must be taken.
func (b *batch) submit(t *testing.T, s interface{ Submit(*resolver.Query) error }) {
	t.Helper()
	for i := range b.queries {
		if err := s.Submit(&b.queries[i]); err != nil {
			t.Fatalf("submission %d: %v", i, err)
		}
		b.out++
	}
}

// completed counts completions.
func (b *batch) completed() (n int) {
	for i := range b.calls {
		n += int(b.calls[i].Load())
	}
	return n
}

// wait waits until every query is done, and a little, and fails unless each is done once.
func (b *batch) wait(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); b.completed() < b.out && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(5 * time.Millisecond)
	b.once(t)
}

// once fails unless every query is done once.
func (b *batch) once(t *testing.T) {
	t.Helper()
	for i := range b.out {
		if n := b.calls[i].Load(); n != 1 {
			t.Errorf("query %d of %d: %d completions, want 1", i, b.out, n)
		}
	}
}

// drive is a foreign loop: it runs e until the condition holds, looking each millisecond.
func drive(t *testing.T, e *resolver.Engine, until func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !until(); {
		now := ioevent.Now()
		e.IOEvent(now)
		if next := e.Timeouts(now); next > now {
			time.Sleep(min(time.Millisecond, time.Duration(next-now)))
		}
		if time.Now().After(end) {
			t.Fatal("the engine did not get there in 20 s")
		}
	}
}

// onPreferred runs f on loopback with the first poller and the first backend that work here and together.
func onPreferred(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	for _, p := range ioevent.List() {
		for _, b := range backend.List() {
			if together(p, b) && p.Probe() == nil && b.Probe() == nil {
				f(t, loopback(p, b))
				return
			}
		}
	}
	t.Fatal("no poller and backend work here together")
}

// inBoth runs f in memory and with the preferred poller and backend on loopback.
func inBoth(t *testing.T, f func(t *testing.T, w *world)) {
	t.Run("memory", func(t *testing.T) { inMemory(t, f) })
	t.Run("loopback", func(t *testing.T) { onPreferred(t, f) })
}

// loopback is the world of one poller and one backend.
func loopback(p ioevent.Mechanism, b backend.Backend) *world {
	return &world{config: resolver.Config{Backend: b, Poller: p, Timeout: 300 * time.Millisecond}, slack: 50 * time.Millisecond}
}
