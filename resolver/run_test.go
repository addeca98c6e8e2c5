package resolver_test

import (
	"errors"
	"net"
	"testing"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// TestRun: Run sends what was submitted before it and in a Done, and returns after the turn in which a Done quits, again and again.
func TestRun(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		s := w.server(t, good)
		e := w.engine(t, nil, s.Addr())
		left := 0
		done := func(q *resolver.Query, _ *resolver.Reply, err error) {
			if err != nil {
				t.Error(err)
			}
			if left--; left == 0 {
				e.Quit()
			} else if err := e.Submit(q); err != nil {
				t.Error(err)
			}
		}
		for round := 1; round <= 3; round++ {
			left = 5
			if err := e.Submit(&resolver.Query{Question: www, Done: done}); err != nil {
				t.Fatal(err)
			}
			if err := e.Run(); err != nil {
				t.Fatal(err)
			}
			if got := s.Counts().UDP; left != 0 || got != 5*round {
				t.Fatalf("round %d: %d left, the server saw %d; want 0 and %d", round, left, got, 5*round)
			}
		}
		if n := e.Stats().Loop.TimedWaits; n != 0 {
			t.Errorf("%d timed waits", n)
		}
	})
}

// TestRunSleepsUntilTimeouts: with a server that says nothing, Run ends when the tries do and does not spin meanwhile.
func TestRunSleepsUntilTimeouts(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		s := w.server(t, dnstest.Silent)
		e := w.engine(t, func(c *resolver.Config) { c.Tries = 2 }, s.Addr())
		var failure error
		q := &resolver.Query{Question: www, Done: func(_ *resolver.Query, _ *resolver.Reply, err error) {
			failure = err
			e.Quit()
		}}
		if err := e.Submit(q); err != nil {
			t.Fatal(err)
		}
		watch := w.start()
		if err := e.Run(); err != nil {
			t.Fatal(err)
		}
		watch.lasted(t, 2*w.config.Timeout)
		if !errors.Is(failure, resolver.ErrTimeout) {
			t.Errorf("%v, want a timeout", failure)
		}
		if turns := e.Stats().Loop.Turns; turns > 20 {
			t.Errorf("%d turns for two tries", turns)
		}
	})
}

// TestRunRefused: not inside a Done, not after Close; Close inside a Done ends it.
func TestRunRefused(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		e := w.engine(t, nil, w.server(t, good).Addr())
		var inside error
		q := &resolver.Query{Question: www, Done: func(*resolver.Query, *resolver.Reply, error) {
			inside = e.Run()
			e.Close()
		}}
		if err := e.Submit(q); err != nil {
			t.Fatal(err)
		}
		if err := e.Run(); err != nil {
			t.Errorf("Run that Close ended: %v", err)
		}
		if inside == nil || errors.Is(inside, resolver.ErrClosed) {
			t.Errorf("Run inside Done: %v, want an error that says so", inside)
		}
		if err := e.Run(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Run after Close: %v, want ErrClosed", err)
		}
	})
}

// TestQuitElsewhere: a Quit outside Run does not end the next.
func TestQuitElsewhere(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		e := w.engine(t, nil, w.server(t, good).Addr())
		done := false
		e.Quit()
		e.Timeouts(ioevent.Now())
		q := &resolver.Query{Question: www, Done: func(*resolver.Query, *resolver.Reply, error) {
			done = true
			e.Quit()
		}}
		if err := e.Submit(q); err != nil {
			t.Fatal(err)
		}
		if err := e.Run(); err != nil || !done {
			t.Errorf("Run: %v, done %t; want nil and true", err, done)
		}
	})
}
