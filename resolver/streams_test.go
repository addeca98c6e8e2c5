package resolver_test

import (
	"errors"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// lanes notes what comes over which connection and answers after a time.
type lanes struct {
	after time.Duration

	mu    sync.Mutex
	order []netip.AddrPort       // connections, as they were first seen
	came  map[netip.AddrPort]int // queries of each
	now   map[netip.AddrPort]int // not answered yet
	most  map[netip.AddrPort]int // of those
	busy  int                    // connections that have some, at most
	at    []time.Duration        // when each was answered
	since time.Time
}

func newLanes(after time.Duration) *lanes {
	return &lanes{after: after, came: map[netip.AddrPort]int{}, now: map[netip.AddrPort]int{}, most: map[netip.AddrPort]int{}, since: time.Now()}
}

func (l *lanes) handle(w *dnstest.Writer, q dnstest.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.came[q.From] == 0 {
		l.order = append(l.order, q.From)
	}
	l.came[q.From]++
	l.now[q.From]++
	l.most[q.From] = max(l.most[q.From], l.now[q.From])
	busy := 0
	for _, n := range l.now {
		busy += min(n, 1)
	}
	l.busy = max(l.busy, busy)
	dnstest.After(l.after, func(w *dnstest.Writer, q dnstest.Request) {
		l.mu.Lock()
		l.now[q.From]--
		l.at = append(l.at, time.Since(l.since))
		l.mu.Unlock()
		good(w, q)
	})(w, q)
}

// counts returns the queries of each connection, the fewest first, and the most that one had at once.
func (l *lanes) counts() (came []int, most int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.order {
		came = append(came, l.came[c])
		most = max(most, l.most[c])
	}
	slices.Sort(came)
	return came, most
}

// overTCP makes n queries over TCP.
func overTCP(n int, flags resolver.Flags) *batch {
	b := newBatch(n, nil)
	for i := range b.queries {
		b.queries[i].Flags = resolver.OverTCP | flags
	}
	return b
}

// turnWhile turns e until b is done.
func turnWhile(t *testing.T, e *resolver.Engine, b *batch) {
	t.Helper()
	for n := 0; b.completed() < len(b.queries); n++ {
		if n > 20*len(b.queries) {
			t.Fatalf("%d turns for %d queries, of which %d are done", n, len(b.queries), b.completed())
		}
		if err := e.Turn(ioevent.Never); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTCPPolicy: how many connections there are, what each carries, and what waits.
func TestTCPPolicy(t *testing.T) {
	const after = 10 * time.Millisecond
	for name, c := range map[string]struct {
		policy resolver.TCPPolicy
		n      int
		came   []int // by each connection
		most   int   // outstanding on one
		busy   int   // connections at once
		rounds int   // of answers
	}{
		"one":                            {resolver.TCPPolicy{}, 10, []int{10}, 10, 1, 1},
		"in turn":                        {resolver.TCPPolicy{Conns: 3, Together: 1}, 10, []int{3, 3, 4}, 4, 3, 1},
		"in turn, some together":         {resolver.TCPPolicy{Conns: 3, Together: 4}, 13, []int{3, 5, 5}, 5, 3, 1},
		"more than queries":              {resolver.TCPPolicy{Conns: 20}, 3, []int{1, 1, 1}, 1, 3, 1},
		"one query each":                 {resolver.TCPPolicy{Queries: 1}, 3, []int{1, 1, 1}, 1, 1, 3},
		"some queries each":              {resolver.TCPPolicy{Queries: 4}, 10, []int{2, 4, 4}, 4, 1, 3},
		"some queries each, in turn":     {resolver.TCPPolicy{Conns: 2, Together: 1, Queries: 2}, 12, []int{2, 2, 2, 2, 2, 2}, 2, 2, 3},
		"few outstanding":                {resolver.TCPPolicy{Outstanding: 2}, 7, []int{7}, 2, 1, 4},
		"few outstanding, in turn":       {resolver.TCPPolicy{Conns: 2, Together: 1, Outstanding: 2}, 8, []int{4, 4}, 2, 2, 2},
		"few outstanding, few queries":   {resolver.TCPPolicy{Outstanding: 2, Queries: 3}, 6, []int{3, 3}, 2, 1, 4},
		"as many as there are, and more": {resolver.TCPPolicy{Conns: 2, Together: 1, Outstanding: 1, Queries: 100}, 5, []int{2, 3}, 1, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				l := newLanes(after)
				s := w.server(t, l.handle)
				e := w.engine(t, func(cfg *resolver.Config) { cfg.TCP = c.policy }, s.Addr())
				b := overTCP(c.n, 0)
				b.submit(t, e)
				turnWhile(t, e, b)
				b.succeeded(t)
				came, most := l.counts()
				if !slices.Equal(came, c.came) || most != c.most || l.busy != c.busy {
					t.Errorf("connections carried %v, at most %d at once on one and on %d at once; want %v, %d and %d", came, most, l.busy, c.came, c.most, c.busy)
				}
				if want := time.Duration(c.rounds) * after; slices.Max(l.at) != want {
					t.Errorf("the last answer came after %v, want %v", slices.Max(l.at), want)
				}
				if st := e.Stats(); st.Dials != uint64(len(c.came)) || st.DialsFailed != 0 || st.HungUp != 0 {
					t.Errorf("%d dials, %d failed, %d hung up; want %d, 0, 0", st.Dials, st.DialsFailed, st.HungUp, len(c.came))
				}
			})
		})
	}
}

// TestTCPPolicyOnLoopback: with descriptors, Queries closes a connection under the reader's feet.
func TestTCPPolicyOnLoopback(t *testing.T) {
	onLoopback(t, withTCP(func(t *testing.T, w *world) {
		l := newLanes(0)
		s := w.server(t, l.handle)
		e := w.engine(t, func(cfg *resolver.Config) { cfg.TCP = resolver.TCPPolicy{Conns: 2, Queries: 3, Outstanding: 2} }, s.Addr())
		b := overTCP(30, resolver.Once)
		b.submit(t, e)
		drive(t, e, func() bool { return b.completed() == 30 })
		b.succeeded(t)
		if came, most := l.counts(); len(came) < 10 || len(came) > 11 || slices.Max(came) != 3 || most > 2 { // the last two may share the rest
			t.Errorf("connections carried %v, at most %d at once; want 3 each, but for the last, and at most 2", came, most)
		}
	}))
}

// TestWaitingForRoom: what waits for a connection's room ends at its deadline, when it is canceled, and with the engine.
func TestWaitingForRoom(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		s := w.server(t, dnstest.Silent)
		w.config.Timeout = time.Minute
		e := w.engine(t, func(cfg *resolver.Config) { cfg.TCP.Outstanding = 1 }, s.Addr())
		b := overTCP(4, 0)
		b.queries[1].Deadline = ioevent.Now() + resolver.Time(time.Second)
		b.submit(t, e)
		watch := w.start()
		for b.completed() == 0 {
			if err := e.Turn(ioevent.Never); err != nil {
				t.Fatal(err)
			}
		}
		watch.lasted(t, time.Second)
		isTimeout(t, b.errs[1])
		if !e.Cancel(&b.queries[2]) {
			t.Error("a query that waits cannot be canceled")
		}
		e.Close()
		b.once(t)
		if !errors.Is(b.errs[2], resolver.ErrCanceled) || !errors.Is(b.errs[0], resolver.ErrClosed) || !errors.Is(b.errs[3], resolver.ErrClosed) {
			t.Errorf("errors %v", b.errs)
		}
		if n := s.Counts().TCP; n != 1 {
			t.Errorf("%d queries were sent, want 1", n)
		}
	})
}

// TestRoomAfterTimeouts: a query that timed out makes room, on the same connection where it is sent but once.
func TestRoomAfterTimeouts(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		s := w.server(t, dnstest.Silent)
		e := w.engine(t, func(cfg *resolver.Config) { cfg.TCP.Outstanding = 2 }, s.Addr())
		b := overTCP(6, resolver.Once)
		b.submit(t, e)
		watch := w.start()
		turnWhile(t, e, b)
		watch.lasted(t, 3*w.config.Timeout)
		for _, err := range b.errs {
			isTimeout(t, err)
		}
		if n := s.Counts(); n.TCP != 6 || n.Conns != 1 {
			t.Errorf("%d queries over %d connections, want 6 over 1", n.TCP, n.Conns)
		}
	})
}

// TestConnectionsThatFail: each query that waits meets its own refusal, and what is counted tells refused dials from connections that ended.
func TestConnectionsThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		h                     dnstest.Handler // nil: nobody listens
		why                   error
		dials, failed, hungUp uint64
	}{
		"nobody":              {nil, backend.ErrRefused, 3, 3, 0},
		"hung up":             {dnstest.Close, resolver.ErrHungUp, 3, 0, 3},
		"reset":               {dnstest.Reset, backend.ErrReset, 3, 0, 3},
		"hung up when idle":   {dnstest.All(good, dnstest.Close), nil, 3, 0, 3},
		"open until the end":  {good, nil, 1, 0, 0},
		"malformed, so ended": {dnstest.Edit(good, func(m []byte, _ dnstest.Request) []byte { return m[:len(m)-1] }), resolver.ErrMalformed, 3, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBoth(t, withTCP(func(t *testing.T, w *world) {
				at := w.nobody(t)
				if c.h != nil {
					at = w.server(t, c.h).Addr()
				}
				e := w.engine(t, func(cfg *resolver.Config) { cfg.TCP.Outstanding = 1 }, at)
				for i := range 3 {
					b := overTCP(1, resolver.Once)
					b.submit(t, e)
					drive(t, e, func() bool { return b.completed() == 1 })
					if !errors.Is(b.errs[0], c.why) {
						t.Errorf("%v, want %v", b.errs[0], c.why)
					}
					if c.hungUp > 0 {
						drive(t, e, func() bool { return e.Stats().HungUp > uint64(i) })
					}
				}
				if st := e.Stats(); st.Dials != c.dials || st.DialsFailed != c.failed || st.HungUp != c.hungUp {
					t.Errorf("%d dials, %d failed, %d hung up; want %d, %d, %d", st.Dials, st.DialsFailed, st.HungUp, c.dials, c.failed, c.hungUp)
				}
			}))
		})
	}
}
