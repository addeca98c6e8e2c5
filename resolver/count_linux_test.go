package resolver_test

import (
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// single makes an engine on loopback with the poller and backend named, for counting on one goroutine.
func single(t testing.TB, poller, mech string, server netip.AddrPort, change func(*resolver.Config)) *resolver.Engine {
	t.Helper()
	p, err := ioevent.Named(poller)
	if err != nil {
		t.Fatal(err)
	}
	b, err := backend.Named(mech)
	if errors.Is(err, errors.ErrUnsupported) {
		require.Skip(t, "%v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	w := &world{config: resolver.Config{Poller: p, Backend: b}}
	return w.engine(t, change, server)
}

// flow keeps a number of queries outstanding at an engine until n have completed, with a Holder that releases a burst at a time.
type flow struct {
	t       testing.TB
	engine  *resolver.Engine
	holder  *dnstest.Holder
	queries []*resolver.Query
	burst   int
	n       int

	submitted, completed int
}

func newFlow(t testing.TB, e *resolver.Engine, h *dnstest.Holder, outstanding int) *flow {
	f := &flow{t: t, engine: e, holder: h, burst: min(64, outstanding)}
	for i := range outstanding {
		f.queries = append(f.queries, &resolver.Query{
			Question: resolver.Question{Name: fmt.Sprintf("h%07d.example.com", i), Type: dns.TypeA},
			Done:     f.done,
		})
	}
	return f
}

func (f *flow) done(q *resolver.Query, _ *resolver.Reply, err error) {
	f.completed++
	if err != nil {
		f.t.Error(err)
	}
	f.submit(q)
}

func (f *flow) submit(q *resolver.Query) {
	if f.submitted == f.n {
		return
	}
	f.submitted++
	if err := f.engine.Submit(q); err != nil {
		f.t.Fatal(err)
	}
}

// run makes n queries and returns what the engine did meanwhile.
func (f *flow) run(n int) (used resolver.Stats) {
	f.n, f.submitted, f.completed = n, 0, 0
	before := f.engine.Stats()
	for _, q := range f.queries {
		f.submit(q)
	}
	for f.completed < f.n {
		f.step()
	}
	after := f.engine.Stats()
	after.Loop.Syscalls -= before.Loop.Syscalls
	after.Loop.ClockReads -= before.Loop.ClockReads
	after.Socket.Syscalls -= before.Socket.Syscalls
	after.Socket.EmptyReceives -= before.Socket.EmptyReceives
	after.Sent -= before.Sent
	return after
}

// step sends what is queued, lets the responder answer one burst, and takes that.
func (f *flow) step() {
	f.engine.Timeouts(ioevent.Now())
	if err := f.holder.Receive(f.submitted - f.completed - f.holder.Held()); err != nil {
		f.t.Fatalf("%d submitted, %d completed, %d held: %v", f.submitted, f.completed, f.holder.Held(), err)
	}
	sent, err := f.holder.Release(f.burst)
	if err != nil {
		f.t.Fatal(err)
	}
	for end := f.completed + sent; f.completed < end; {
		if f.engine.IOEvent(ioevent.Now()) == 0 {
			f.t.Fatalf("%d of %d replies of a burst were taken, and nothing is ready", sent-(end-f.completed), sent)
		}
	}
}

// TestCountSyscalls: at most 0.05 system calls a query at 1,000 outstanding and 0.1 at 64, and no empty receive, where a burst leaves room in
// the batch.
func TestCountSyscalls(t *testing.T) {
	for _, tt := range []struct {
		poller, backend    string
		batch, outstanding int
		most               float64 // system calls a query
		empty              float64 // empty receives a query
	}{
		{"edge", "recvmmsg", 64, 1000, 0.1, 0.03},
		{"edge", "recvmmsg", 0, 1000, 0.05, 0},
		{"level", "recvmmsg", 0, 1000, 0.05, 0},
		{"poll", "recvmmsg", 0, 1000, 0.05, 0},
		{"edge", "recvmmsg", 0, 64, 0.1, 0},
		{"edge", "gso", 64, 1000, 0.05, 0},
		{"edge", "gso", 0, 1000, 0.05, 0},
		{"level", "gso", 0, 1000, 0.05, 0},
		{"edge", "gso", 0, 64, 0.1, 0},
		{"edge", "uring", 0, 1000, 0.04, 0}, // it receives without
		{"edge", "uring", 0, 64, 0.04, 0},
	} {
		t.Run(fmt.Sprintf("poller=%s/backend=%s/batch=%d/outstanding=%d", tt.poller, tt.backend, tt.batch, tt.outstanding), func(t *testing.T) {
			runtime.LockOSThread() // a ring is filled by the thread that opened it, when that enters the kernel
			defer runtime.UnlockOSThread()
			h := dnstest.NewHolder(t)
			e := single(t, tt.poller, tt.backend, h.Addr(), func(c *resolver.Config) { c.Socket.Batch = tt.batch })
			f := newFlow(t, e, h, tt.outstanding)
			f.run(5 * tt.outstanding) // until the receive slots follow
			used := f.run(20 * tt.outstanding)
			calls := float64(used.Loop.Syscalls+used.Socket.Syscalls) / float64(f.n)
			empty := float64(used.Socket.EmptyReceives) / float64(f.n)
			t.Logf("%.4f system calls a query (%d of the poller, %d of sockets), %.4f empty receives",
				calls, used.Loop.Syscalls, used.Socket.Syscalls, empty)
			if calls > tt.most || empty > tt.empty {
				t.Errorf("%.4f system calls and %.4f empty receives a query, want at most %v and %v", calls, empty, tt.most, tt.empty)
			}
			if used.Sent != uint64(f.n) || used.Loop.TimedWaits != 0 || used.Loop.ClockReads != 0 {
				t.Errorf("%d sent for %d queries, %d timed waits, %d clock reads besides the caller's", used.Sent, f.n, used.Loop.TimedWaits, used.Loop.ClockReads)
			}
		})
	}
}

// TestCountEmptyReceives: with one query outstanding a short recvmmsg says that there is no more, recvfrom has to be told by EAGAIN: one
// receive too many for each wake, the finding that began this library.
func TestCountEmptyReceives(t *testing.T) {
	for _, tt := range []struct {
		poller, backend string
		batch           int
		perWake         uint64
	}{
		{"edge", "recvmmsg", 2, 0},
		{"edge", "recvfrom", 2, 1},
		{"edge", "recvfrom", 64, 1},
		{"level", "recvmmsg", 2, 0},
		{"edge", "gso", 2, 0},
	} {
		t.Run(fmt.Sprintf("poller=%s/backend=%s/batch=%d", tt.poller, tt.backend, tt.batch), func(t *testing.T) {
			h := dnstest.NewHolder(t)
			e := single(t, tt.poller, tt.backend, h.Addr(), func(c *resolver.Config) { c.Socket.Batch = tt.batch })
			f := newFlow(t, e, h, 1)
			used := f.run(200)
			t.Logf("a query: %.2f system calls, %.2f empty receives",
				float64(used.Loop.Syscalls+used.Socket.Syscalls)/float64(f.n), float64(used.Socket.EmptyReceives)/float64(f.n))
			if want := tt.perWake * uint64(f.n); used.Socket.EmptyReceives != want {
				t.Errorf("%d empty receives in %d wakes, want %d", used.Socket.EmptyReceives, f.n, want)
			}
			if used.Loop.TimedWaits != 0 {
				t.Errorf("%d timed waits", used.Loop.TimedWaits)
			}
		})
	}
}

// TestAllocsEngine: from Submit to Done, nothing, also where what has ended is remembered.
func TestAllocsEngine(t *testing.T) {
	if raceDetector {
		t.Log("the race detector allocates: counted without it")
		return
	}
	remember := func(c *resolver.Config) {
		oneSocket(c) // one memory to be warm
		c.Stray = func(s *resolver.Stray) { t.Errorf("told of one %v", s.Kind) }
	}
	for b, change := range map[string]func(*resolver.Config){"gso": nil, "recvmmsg": remember, "recvfrom": nil} {
		h := dnstest.NewHolder(t)
		f := newFlow(t, single(t, "edge", b, h.Addr(), change), h, 200)
		f.run(20_000) // warm
		n := 1.0
		for tries := 0; tries < 3 && n > 0; tries++ { // what grows grows once
			n = testing.AllocsPerRun(10, func() { f.run(1000) })
		}
		if n > 0 {
			t.Errorf("backend %s: %v allocations for 1,000 queries", b, n)
		}
	}
}
