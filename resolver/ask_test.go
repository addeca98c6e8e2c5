package resolver_test

import (
	"context"
	"errors"
	"math"
	"net"
	"net/netip"
	"os"
	"runtime"
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

// stopwatch measures how long something takes. On loopback a goroutine that sleeps again and again is witness to how late this process is
// on a busy machine.
type stopwatch struct {
	w       *world
	began   time.Time
	late    atomic.Int64 // nanoseconds
	due     atomic.Int64 // the end of the nap, in nanoseconds after began
	stopped chan struct{}
}

func (w *world) start() *stopwatch {
	s := &stopwatch{w: w, began: time.Now(), stopped: make(chan struct{})}
	s.due.Store(math.MaxInt64)
	if w.memory == nil {
		go s.witness()
	}
	return s
}

func (s *stopwatch) witness() {
	const nap = 5 * time.Millisecond
	for {
		at := time.Now()
		s.due.Store(int64(at.Add(nap).Sub(s.began)))
		select {
		case <-s.stopped:
			return
		case <-time.After(nap):
			runtime.Gosched() // a timer lets it jump the queue, which an answer does not
			s.late.Add(int64(time.Since(at) - nap))
		}
	}
}

// lateness is how late the witness was so far, the nap that should be over included. Nothing is late in memory.
func (s *stopwatch) lateness() time.Duration {
	if s.w.memory != nil {
		return 0
	}
	due, late := s.due.Load(), s.late.Load()
	return time.Duration(late + max(0, int64(time.Since(s.began))-due))
}

// hops is how many times as late as the witness a lookup may be: it passes through as many goroutines and sleeps, the server's among them.
const hops = 8

// lasted fails unless want has passed since the start: exactly so in memory. On loopback it may be the slack more and what the witness was
// late for each hop, and a turn less, whose time is that of its beginning. The stopwatch is used up.
func (s *stopwatch) lasted(t *testing.T, want time.Duration) {
	t.Helper()
	took := time.Since(s.began)
	close(s.stopped)
	least, most := want, want+s.w.slack+hops*s.lateness()
	if s.w.memory == nil {
		least -= 2 * time.Millisecond
	}
	if took < least || took > most {
		t.Errorf("took %v, want %v, at most %v", took, want, most)
	}
}

// hasty shortens the tries on loopback, for a test that waits for one to end.
func hasty(f func(*testing.T, *world)) func(*testing.T, *world) {
	return func(t *testing.T, w *world) {
		if w.memory == nil {
			w.config.Timeout = 100 * time.Millisecond
		}
		f(t, w)
	}
}

// patient lengthens the tries on loopback, for many queries at once: these take their time on a busy machine, and a few find the queue of the server full.
func patient(f func(*testing.T, *world)) func(*testing.T, *world) {
	return func(t *testing.T, w *world) {
		if w.memory == nil {
			w.config.Timeout = time.Second
		}
		f(t, w)
	}
}

// oneShard has all queries go through one engine.
func oneShard(c *resolver.Config) { c.Shards = 1 }

// batch is queries of www for a Submit, which count their completions.
type batch struct {
	queries []resolver.Query
	calls   []atomic.Int32
	errs    []error
	done    func(i int, r *resolver.Reply, err error) // may be nil
	out     int                                       // submitted
	sent    atomic.Int32                              // the same, for a Done to read
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

// succeeded fails unless every query is done once and without an error.
func (b *batch) succeeded(t *testing.T) {
	t.Helper()
	b.once(t)
	for i, err := range b.errs {
		if err != nil {
			t.Errorf("query %d: %v", i, err)
		}
	}
}

// manyAddrs returns n addresses.
func manyAddrs(n int) []string {
	addrs := make([]string, n)
	for i := range addrs {
		addrs[i] = netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)}).String()
	}
	return addrs
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
	return &world{config: resolver.Config{Backend: b, Poller: p, Timeout: 300 * time.Millisecond}, slack: 250 * time.Millisecond}
}

// isTimeout fails unless err says in every way that time ran out.
func isTimeout(t *testing.T, err error) {
	t.Helper()
	var timeout net.Error
	if !errors.Is(err, resolver.ErrTimeout) || !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("error %v, want a timeout", err)
	}
}
