package resolver_test

import (
	"errors"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// turnUntil turns e until the time has come, as a program with a schedule does.
func turnUntil(t *testing.T, e *resolver.Engine, at resolver.Time) {
	t.Helper()
	for e.Now() < at {
		if err := e.Turn(at); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTurnSleepsUntil: where nothing happens a turn ends at its time, to the nanosecond, and one whose time has come does not sleep.
func TestTurnSleepsUntil(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		e := w.engine(t, nil, w.server(t, good).Addr())
		at := ioevent.Now()
		for _, d := range []resolver.Time{0, 1, 999, 100_000, 0, 3_000_000_000} {
			at += d
			turns := e.Stats().Loop.Turns
			if err := e.Turn(at); err != nil {
				t.Fatal(err)
			}
			if now := ioevent.Now(); now != at || e.Now() != at || e.Stats().Loop.Turns != turns+1 {
				t.Errorf("a turn of %d ns ended %d ns late, and was %d turns", d, now-at, e.Stats().Loop.Turns-turns)
			}
		}
		if err := e.Turn(0); err != nil || ioevent.Now() != at {
			t.Errorf("a turn that only looks took %d ns, %v", ioevent.Now()-at, err)
		}
	})
}

// TestTurnSchedule: queries sent by a schedule arrive at its times, and a reply or a timeout between two of them does not move those.
func TestTurnSchedule(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		w.config.Timeout, w.config.Tries = 3*time.Millisecond, 1
		var mu sync.Mutex
		var came []resolver.Time
		s := w.server(t, func(w *dnstest.Writer, q dnstest.Request) {
			mu.Lock()
			came = append(came, ioevent.Now())
			n := len(came)
			mu.Unlock()
			if n%2 == 0 {
				dnstest.After(500*time.Microsecond, good)(w, q)
			}
		})
		e := w.engine(t, nil, s.Addr())
		var plan, ended, want []resolver.Time
		at := ioevent.Now()
		for i := range 50 {
			at += resolver.Time(i*i) * 1000
			plan = append(plan, at)
			want = append(want, at+map[bool]resolver.Time{true: 3_000_000, false: 500_000}[i%2 == 0])
		}
		for _, at := range plan {
			turnUntil(t, e, at)
			q := &resolver.Query{Question: www}
			q.Done = func(*resolver.Query, *resolver.Reply, error) {
				if now := ioevent.Now(); now != e.Now() {
					t.Errorf("the time of the turn is %d ns old", now-e.Now())
				}
				ended = append(ended, e.Now())
			}
			if err := e.Submit(q); err != nil {
				t.Fatal(err)
			}
			if err := e.Turn(0); err != nil {
				t.Fatal(err)
			}
		}
		turnUntil(t, e, at+resolver.Time(w.config.Timeout))
		slices.Sort(want)
		if !slices.Equal(came, plan) || !slices.Equal(ended, want) {
			t.Errorf("sent at %v, ended at %v; want %v and %v", came, ended, plan, want)
		}
	})
}

// TestTurn: the same on every poller and backend, as punctual as these are.
func TestTurn(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		s := w.server(t, good)
		e := w.engine(t, nil, s.Addr())
		const n, pause = 20, resolver.Time(2 * time.Millisecond)
		done := 0
		at := ioevent.Now()
		for range n {
			at += pause
			turnUntil(t, e, at)
			if late := e.Now() - at; late > resolver.Time(w.slack) {
				t.Logf("%v late", time.Duration(late)) // on a busy machine
			}
			q := &resolver.Query{Question: www, Done: func(_ *resolver.Query, _ *resolver.Reply, err error) {
				done++
				if err != nil {
					t.Error(err)
				}
			}}
			if err := e.Submit(q); err != nil {
				t.Fatal(err)
			}
		}
		for done < n {
			if err := e.Turn(ioevent.Never); err != nil {
				t.Fatal(err)
			}
		}
		if e.Stats().Loop.TimedWaits != 0 || s.Counts().UDP != n {
			t.Errorf("%d timed waits, %d queries came; want 0 and %d", e.Stats().Loop.TimedWaits, s.Counts().UDP, n)
		}
	})
}

// TestTurnReturnsWhatIsDone: a query that ends while it is sent is told of at once, and so is one that was canceled.
func TestTurnReturnsWhatIsDone(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		e := w.engine(t, nil, w.server(t, dnstest.Silent).Addr())
		var ended error
		q := &resolver.Query{Question: www, Deadline: 1, Done: func(_ *resolver.Query, _ *resolver.Reply, err error) { ended = err }}
		at := ioevent.Now()
		if err := errors.Join(e.Submit(q), e.Turn(ioevent.Never)); err != nil {
			t.Fatal(err)
		}
		isTimeout(t, ended)
		q.Deadline = 0
		if err := errors.Join(e.Submit(q), e.Turn(at)); err != nil || !e.Cancel(q) {
			t.Fatal(err)
		}
		if err := e.Turn(ioevent.Never); err != nil || !errors.Is(ended, resolver.ErrCanceled) || ioevent.Now() != at {
			t.Errorf("%v, ended with %v after %d ns, want ErrCanceled at once", err, ended, ioevent.Now()-at)
		}
	})
}

// TestTurnSpins: it sleeps until Config.Spin before its time, and then looks.
func TestTurnSpins(t *testing.T) {
	for _, tt := range []struct {
		spin        time.Duration
		least, most uint64 // turns
	}{{-1, 1, 4}, {time.Minute, 20, 1 << 30}} {
		onPreferred(t, func(t *testing.T, w *world) {
			own := w.config.Poller.Latency == ioevent.Spin || !w.config.Poller.Files // it reads the clock by itself, and Turn does not spin
			if own {
				tt.least, tt.most = 1, 4
			}
			e := w.engine(t, func(c *resolver.Config) { c.Spin = tt.spin })
			before := e.Stats().Loop
			turnUntil(t, e, ioevent.Now()+resolver.Time(20*time.Millisecond))
			after := e.Stats().Loop
			if turns := after.Turns - before.Turns; turns < tt.least || turns > tt.most {
				t.Errorf("spin %v: %d turns, want %d to %d", tt.spin, turns, tt.least, tt.most)
			}
			if reads := after.ClockReads - before.ClockReads; reads > after.Turns-before.Turns && !own {
				t.Errorf("spin %v: %d reads of the clock in %d turns", tt.spin, reads, after.Turns-before.Turns)
			}
		})
	}
}

// TestTurnRefused: not inside a Done, not after Close; Close inside a Done ends it.
func TestTurnRefused(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		e := w.engine(t, nil, w.server(t, good).Addr())
		var inside error
		closed := false
		q := &resolver.Query{Question: www, Done: func(*resolver.Query, *resolver.Reply, error) {
			inside = e.Turn(0)
			e.Close()
			closed = true
		}}
		if err := e.Submit(q); err != nil {
			t.Fatal(err)
		}
		for !closed {
			if err := e.Turn(ioevent.Never); err != nil {
				t.Fatalf("Turn that Close ended: %v", err)
			}
		}
		if inside == nil || errors.Is(inside, resolver.ErrClosed) {
			t.Errorf("Turn inside Done: %v, want an error that says so", inside)
		}
		if err := e.Turn(0); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Turn after Close: %v, want ErrClosed", err)
		}
	})
}
