package ioevent_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

func TestNotifyIsMerged(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	a := r.handler("a", func(ev ioevent.Event) bool {
		if ev.Ready != ioevent.Read|ioevent.Write {
			t.Errorf("Ready = %b, want Read|Write", ev.Ready)
		}
		return true
	})
	b := r.handler("b", nil)
	for range 100 {
		r.Notify(b)
		r.Notify(a)
		r.Notify(a + b)
	}
	r.turn()
	r.want("b a")
	r.turn()
	r.want("")
	if n := r.poller.Calls().Wake; n != 1 {
		t.Errorf("the poller was woken %d times, want once", n)
	}
}

// TestWakeBetweenPolls is about a loop that another loop turns: whatever comes while it is not turned, or while it is about to be left, makes
// its descriptor readable.
func TestWakeBetweenPolls(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	wakes := func(want int) {
		t.Helper()
		if n := r.poller.Calls().Wake; n != want {
			t.Errorf("the poller was woken %d times, want %d", n, want)
		}
	}
	tok := r.handler("a", nil)
	wakes(0)
	r.Notify(tok) // never turned yet
	wakes(1)
	r.turn()
	r.want("a")
	r.Wake()
	r.Wake()
	wakes(2)
	r.turn()
	r.Ready(r.handler("notifier", func(ioevent.Event) bool { r.Notify(tok); return true }))
	r.Poll(r.poller.Now())
	wakes(3) // written when Poll returns
	r.turn()
	r.want("notifier a")
	wakes(3)
}

func TestWakeEndsSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, true, ioevent.Config{})
		tok := r.handler("a", nil)
		done := make(chan error)
		go func() { done <- r.Run(func(ioevent.Time) bool { r.log("tick"); return false }) }()
		synctest.Wait()
		r.want("tick")
		r.Notify(tok)
		synctest.Wait()
		r.want("a tick")
		r.Wake()
		synctest.Wait()
		r.want("tick")
		calls := r.poller.Calls()
		if calls.Wake != 2 || calls.Arm != 0 {
			t.Errorf("calls %+v, want 2 wakes for 2 sleeps and no arming", calls)
		}
		if c := r.Counters(); c.Wakes != 1 || c.PerWake[0] != 1 || c.TimedWaits != 0 {
			t.Errorf("counters %+v, want one wake with an event, of no datagram", *c)
		}
		r.Notify(r.handler("quit", func(ioevent.Event) bool { r.Quit(); return true }))
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestEarlyTimer is a system whose timer comes before its time, as where it rounds.
func TestEarlyTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, true, ioevent.Config{})
		a := newAlarm(func(ioevent.Time) { r.log("timer"); r.Quit() })
		at := r.Now() + 10*ms
		r.Start(&a.timer, at)
		done := make(chan error)
		go func() { done <- r.Run(nil) }()
		synctest.Wait()
		_ = r.poller.Arm(ioevent.Never) // it is spent
		_ = r.poller.Wake()             // and ended the sleep
		synctest.Wait()
		if r.poller.Armed() != at {
			t.Error("the timer was not armed again")
		}
		r.poller.Advance(10 * time.Millisecond)
		if err := <-done; err != nil {
			t.Error(err)
		}
		r.want("timer")
	})
}
