package resolver_test

import (
	"context"
	"fmt"
	"net/netip"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// steady keeps a number of queries outstanding at a Resolver: each Done submits its query again.
type steady struct {
	r       *resolver.Resolver
	queries []resolver.Query
	left    atomic.Int64 // to be submitted
	out     atomic.Int64 // outstanding
	failed  atomic.Int64
	ended   chan struct{}
}

func newSteady(tb testing.TB, server netip.AddrPort, outstanding int) *steady {
	r, err := resolver.New(resolver.Config{Shards: 1, Servers: []resolver.Server{{Addr: server}}})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { r.Close() })
	s := &steady{r: r, queries: make([]resolver.Query, outstanding), ended: make(chan struct{}, 1)}
	for i := range s.queries {
		s.queries[i] = resolver.Query{
			Question: resolver.Question{Name: fmt.Sprintf("h%07d.example.com", i), Type: dns.TypeA},
			Done:     s.done,
		}
	}
	return s
}

func (s *steady) done(q *resolver.Query, _ *resolver.Reply, err error) {
	if err != nil || s.left.Add(-1) >= 0 && s.r.Submit(q) != nil {
		s.failed.Add(1)
	}
	if s.left.Load() < 0 && s.out.Add(-1) == 0 {
		s.ended <- struct{}{}
	}
}

// run completes n queries more than are outstanding at its end.
func (s *steady) run(tb testing.TB, n int) {
	s.left.Store(int64(n))
	s.out.Store(int64(len(s.queries)))
	for i := range s.queries {
		if err := s.r.Submit(&s.queries[i]); err != nil {
			tb.Fatal(err)
		}
	}
	<-s.ended
	if n := s.failed.Load(); n != 0 {
		tb.Fatalf("%d queries failed", n)
	}
}

// spent is what a query costs.
type spent struct{ allocs, calls, reads float64 }

// measure runs n queries more and returns what each costs.
func (s *steady) measure(tb testing.TB, n int) spent {
	before := s.r.Stats()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	mallocs := m.Mallocs
	s.run(tb, n)
	runtime.ReadMemStats(&m)
	after := s.r.Stats()
	per := func(after, before uint64) float64 { return float64(after-before) / float64(n) }
	return spent{
		allocs: per(m.Mallocs, mallocs),
		calls:  per(after.Socket.Syscalls+after.Loop.Syscalls, before.Socket.Syscalls+before.Loop.Syscalls),
		reads:  per(after.Loop.ClockReads, before.Loop.ClockReads),
	}
}

// TestCountAllocsResolver: from any goroutine's Submit to Done a query costs no allocation and, at 1,000 outstanding, at most 0.05 system
// calls and 0.05 clock reads. How often the loop wakes depends on how the system runs it beside the responder: one run of three has to do.
func TestCountAllocsResolver(t *testing.T) {
	if raceDetector {
		t.Log("the race detector allocates: counted without it")
		return
	}
	const n = 50_000
	s := newSteady(t, dnstest.Process(t, 64), 1000)
	s.run(t, n) // warm
	for tries := 3; ; tries-- {
		used := s.measure(t, n)
		stats := s.r.Stats()
		t.Logf("a query: %.4f allocations, %.4f system calls, %.4f clock reads; %d timed waits, %d timeouts",
			used.allocs, used.calls, used.reads, stats.Loop.TimedWaits, stats.Timeouts)
		if stats.Loop.TimedWaits != 0 {
			t.Fatal("want no timed wait")
		}
		if used.allocs <= 0.001 && used.calls <= 0.05 && used.reads <= 0.05 {
			return
		}
		if tries == 1 {
			t.Fatal("want at most 0.001 allocations, 0.05 system calls, 0.05 clock reads a query")
		}
	}
}

// TestAllocsExchange: a lone Exchange allocates what it returns, the Answer and its message.
func TestAllocsExchange(t *testing.T) {
	if raceDetector {
		t.Log("the race detector allocates: counted without it")
		return
	}
	s := newSteady(t, dnstest.Process(t, 1), 1)
	exchange := func() {
		if _, err := s.r.Exchange(context.Background(), www); err != nil {
			t.Fatal(err)
		}
	}
	exchange() // warm
	if n := testing.AllocsPerRun(1000, exchange); n > 2 {
		t.Errorf("%v allocations, want 2", n)
	}
}

// BenchmarkEngine is the engine and a responder on one goroutine: what differs between two rows is the engine's.
func BenchmarkEngine(b *testing.B) {
	for _, backend := range []string{"gso", "recvmmsg", "recvfrom"} {
		for _, poller := range []string{"edge", "level", "poll"} {
			for _, outstanding := range []int{1, 64, 1000} {
				b.Run(fmt.Sprintf("backend=%s/poller=%s/outstanding=%d", backend, poller, outstanding), func(b *testing.B) {
					h := dnstest.NewHolder(b)
					f := newFlow(b, single(b, poller, backend, h.Addr(), nil), h, outstanding)
					f.run(2 * outstanding)
					b.ReportAllocs()
					b.ResetTimer()
					used := f.run(b.N)
					b.ReportMetric(float64(used.Loop.Syscalls+used.Socket.Syscalls)/float64(b.N), "syscalls/query")
				})
			}
		}
	}
}

// BenchmarkEngineMemory is what it costs to remember what has ended, as Config.Stray needs it.
func BenchmarkEngineMemory(b *testing.B) {
	for name, change := range map[string]func(*resolver.Config){
		"false": oneSocket,
		"true":  func(c *resolver.Config) { oneSocket(c); c.Stray = func(*resolver.Stray) {} },
	} {
		b.Run("stray="+name, func(b *testing.B) {
			h := dnstest.NewHolder(b)
			f := newFlow(b, single(b, "edge", "recvmmsg", h.Addr(), change), h, 1000)
			f.run(100_000) // the memory is made
			b.ReportAllocs()
			b.ResetTimer()
			f.run(b.N)
		})
	}
}
