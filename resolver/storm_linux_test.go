package resolver_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// How a query of the storm is to end.
const (
	stormBeforeFlush = iota // canceled before it was sent
	stormInFlight           // canceled on the wire
	stormQueued             // canceled by another's Done when its own reply was taken
	stormInCallback         // canceled by another's Done on the wire
	stormAnswered           // and cancels some others in its Done
	stormByClose            // ended by Close
	stormModes
)

// mode is how query i of n is to end. Those for Close leave last, so that their replies are held the longest.
func mode(i, n int) int {
	if i >= n-n/stormModes {
		return stormByClose
	}
	return i % stormByClose
}

// storm is one engine's life with a number of queries that end in every way there is.
type storm struct {
	t       *testing.T
	engine  *resolver.Engine
	holder  *dnstest.Holder
	queries []resolver.Query
	done    []int // completions of each query
	ended   [stormModes]int
	closed  bool
}

func (s *storm) submit() {
	s.done = make([]int, len(s.queries))
	for i := range s.queries {
		s.queries[i] = resolver.Query{
			Question: resolver.Question{Name: fmt.Sprintf("h%04d.example.com", i), Type: dns.TypeA},
			Done:     func(_ *resolver.Query, _ *resolver.Reply, err error) { s.finish(i, err) },
		}
		if err := s.engine.Submit(&s.queries[i]); err != nil {
			s.t.Fatal(err)
		}
	}
}

// finish runs as Done of query i.
func (s *storm) finish(i int, err error) {
	s.done[i]++
	switch {
	case s.closed && errors.Is(err, resolver.ErrClosed):
		s.ended[stormByClose]++
	case err == nil && mode(i, len(s.done)) == stormAnswered:
		s.ended[stormAnswered]++
		// The neighbour left with the same batch, so that its reply came with the same batch too; the other two are far behind.
		s.cancel(i+1+stormQueued, stormQueued)
		s.cancel(i+1+stormInCallback+20*stormByClose, stormInCallback)
		s.cancel(i+1+stormInCallback+60*stormByClose, stormInCallback)
	}
}

// cancel cancels query i and books how: a reply that was taken already is not undone.
func (s *storm) cancel(i, as int) {
	if i >= len(s.queries) || s.done[i] > 0 || mode(i, len(s.done)) != as {
		return
	}
	if canceled := s.engine.Cancel(&s.queries[i]); canceled != (as == stormQueued) {
		s.ended[as]++
	}
}

func (s *storm) cancelAll(as int) {
	for i := range s.queries {
		s.cancel(i, as)
	}
}

func (s *storm) run() {
	s.submit()
	s.cancelAll(stormBeforeFlush)
	s.engine.Timeouts(ioevent.Now())
	if err := s.holder.Receive(int(s.engine.Stats().Sent)); err != nil {
		s.t.Fatal(err)
	}
	s.cancelAll(stormInFlight)
	s.engine.Timeouts(ioevent.Now())
	for s.holder.Held() > len(s.queries)/stormModes {
		if _, err := s.holder.Release(64); err != nil {
			s.t.Fatal(err)
		}
		for s.engine.IOEvent(ioevent.Now()) > 0 {
		}
	}
	s.engine.Timeouts(ioevent.Now())
	s.closed = true
	s.engine.Close()
	for i, n := range s.done {
		if n != 1 {
			s.t.Fatalf("query %d completed %d times", i, n)
		}
	}
}

// TestStormOneEngine: a million queries, a good part of them canceled at each stage of their lives, complete once each.
func TestStormOneEngine(t *testing.T) {
	const each = 1200
	total := 1_000_000
	if testing.Short() {
		total /= 20
	}
	var ended [stormModes]int
	n := 0
	for n < total {
		t.Run("", func(t *testing.T) { // ends with its sockets closed
			h := dnstest.NewHolder(t)
			s := &storm{t: t, holder: h, engine: single(t, "edge", "recvmmsg", h.Addr(), nil), queries: make([]resolver.Query, each)}
			s.run()
			for i := range ended {
				ended[i] += s.ended[i]
			}
		})
		n += each
	}
	t.Logf("%d queries: %v", n, ended)
	for mode, count := range ended {
		if count < n/10 {
			t.Errorf("only %d of %d queries ended in mode %d, want a tenth", count, n, mode)
		}
	}
}

// TestStormResolver: goroutines submit and cancel at random while Close comes; each accepted query completes once. TestMain sees to it that no goroutine
// and no descriptor is left.
func TestStormResolver(t *testing.T) {
	const goroutines, each = 8, 5000
	rounds := 10
	if testing.Short() {
		rounds = 2
	}
	for round := range rounds {
		w := &world{}
		r := w.resolver(t, func(c *resolver.Config) { c.Shards = 1 + round%4; c.MaxInFlight = 2000 }, dnstest.Hold(t, 64))
		var tried, accepted, completed atomic.Int64
		var wg sync.WaitGroup
		for g := range goroutines {
			wg.Go(func() {
				rnd := rand.New(rand.NewPCG(uint64(round), uint64(g)))
				for range each {
					tried.Add(1)
					submitAndCancel(t, r, rnd, &accepted, &completed)
				}
			})
		}
		wg.Go(func() {
			if round%2 > 0 {
				return // every query ends by itself
			}
			for tried.Load() < goroutines*each/2 {
				runtime.Gosched()
			}
			r.Close()
		})
		wg.Wait()
		for round%2 > 0 && completed.Load() < accepted.Load() {
			runtime.Gosched()
		}
		r.Close()
		if a, c := accepted.Load(), completed.Load(); a != c || a == 0 {
			t.Fatalf("round %d: %d accepted, %d completed", round, a, c)
		}
	}
}

func submitAndCancel(t *testing.T, r *resolver.Resolver, rnd *rand.Rand, accepted, completed *atomic.Int64) {
	var done atomic.Int32
	q := &resolver.Query{
		Question: resolver.Question{Name: "www.example.com", Type: dns.TypeA},
		Done: func(*resolver.Query, *resolver.Reply, error) {
			if done.Add(1) != 1 {
				t.Error("a query completed twice")
			}
			completed.Add(1)
		},
	}
	switch err := r.Submit(q); {
	case err == nil:
		accepted.Add(1)
		if rnd.IntN(2) == 0 {
			r.Cancel(q)
		}
	case errors.Is(err, resolver.ErrBusy):
		runtime.Gosched()
	case !errors.Is(err, resolver.ErrClosed):
		t.Error(err)
	}
}
