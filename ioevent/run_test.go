package ioevent_test

import (
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

func TestOrderOfATurn(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	var now []ioevent.Time
	_ = r.Watch(r.handler("handler", func(ioevent.Event) bool {
		now = append(now, r.Now())
		r.poller.Advance(time.Microsecond) // the turn's time stands still
		return true
	}), 1, ioevent.Read)
	r.poller.SetReady(1, ioevent.Read)
	a := newAlarm(func(at ioevent.Time) { r.log("timer"); now = append(now, at) })
	r.Start(&a.timer, r.Now())
	err := r.Run(func(at ioevent.Time) bool {
		r.log("tick")
		now = append(now, at)
		r.Quit()
		return false
	})
	r.want("handler timer tick")
	if err != nil || now[0] != now[1] || now[1] != now[2] {
		t.Errorf("Run = %v, times of one turn %v", err, now)
	}
	if reads := r.Counters().ClockReads; reads != 2 {
		t.Errorf("%d clock reads, want one for NewLoop and one for the turn", reads)
	}
}

// A step of a script is what a tick does; the fake poller's sleep ends by what it scheduled.
func runScript(r *rig, steps ...func() (more bool)) error {
	return r.Run(func(ioevent.Time) bool {
		if len(steps) == 0 {
			r.Quit()
			return false
		}
		step := steps[0]
		steps = steps[1:]
		return step()
	})
}

func TestSleepsOnlyWhenNothingIsLeft(t *testing.T) {
	for _, tt := range []struct {
		name  string
		step  func(r *rig) (more bool)
		sleep bool
	}{
		{"more", func(*rig) bool { return true }, false},
		{"a handler is ready", func(r *rig) bool { r.Ready(r.handler("a", nil)); return false }, false},
		{"a handler is not dry", func(r *rig) bool { return false }, true},
		{"a timer is due", func(r *rig) bool {
			r.Start(&newAlarm(func(ioevent.Time) {}).timer, r.Now())
			return false
		}, false},
		{"woken meanwhile", func(r *rig) bool { r.Wake(); return false }, false},
		{"notified meanwhile", func(r *rig) bool { r.Notify(r.handler("a", nil)); return false }, false},
		{"an event", func(r *rig) bool {
			_ = r.Watch(r.handler("a", nil), 1, ioevent.Read)
			r.poller.SetReady(1, ioevent.Read)
			return false
		}, true},
		{"a timer to come", func(r *rig) bool {
			r.Start(&newAlarm(func(ioevent.Time) {}).timer, r.Now()+ms)
			r.poller.Advance(time.Millisecond)
			return false
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, true, ioevent.Config{})
			if tt.name == "a handler is not dry" {
				r.Ready(r.handler("a", func(ioevent.Event) bool { return len(r.calls) > 1 }))
				tt.sleep = false
			}
			if err := runScript(r, func() bool { return tt.step(r) }); err != nil {
				t.Fatal(err)
			}
			calls := r.poller.Calls()
			if got := calls.Block > 0; got != tt.sleep {
				t.Errorf("slept: %v, want %v", got, tt.sleep)
			}
			if calls.Wake != 0 {
				t.Error("the poller was woken by a running loop")
			}
		})
	}
}

func TestArmsOnlyForAnEarlierTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, true, ioevent.Config{})
		step := func() {}
		done := make(chan error)
		go func() { done <- r.Run(func(ioevent.Time) bool { step(); return false }) }()
		synctest.Wait()
		a, b := newAlarm(func(ioevent.Time) { r.log("a") }), newAlarm(func(ioevent.Time) { r.log("b") })
		t0 := r.Now()
		for _, tt := range []struct {
			name    string
			advance time.Duration
			step    func()
			arms    int
			armed   ioevent.Time
			calls   string
		}{
			{"no timer", 0, func() {}, 0, ioevent.Never, ""},
			{"the first", 0, func() { r.Start(&a.timer, t0+10*ms) }, 1, t0 + 10*ms, ""},
			{"a later one", 0, func() { r.Start(&b.timer, t0+5000*ms) }, 1, t0 + 10*ms, ""},
			{"an earlier one", 0, func() { r.Start(&a.timer, t0+5*ms) }, 2, t0 + 5*ms, ""},
			{"stopped", 0, func() { r.Stop(&a.timer) }, 2, t0 + 5*ms, ""},
			{"the stopped one's time", 5 * time.Millisecond, func() {}, 3, t0 + 5000*ms, ""},
			{"the later one's time", 4995 * time.Millisecond, func() {}, 3, ioevent.Never, "b"},
			{"none left", 0, func() {}, 3, ioevent.Never, ""},
			{"the end", 0, r.Quit, 3, ioevent.Never, ""},
		} {
			step = tt.step
			if tt.advance > 0 {
				r.poller.Advance(tt.advance)
			} else {
				r.Wake()
			}
			synctest.Wait()
			if arms, armed := r.poller.Calls().Arm, r.poller.Armed(); arms != tt.arms || armed != tt.armed {
				t.Errorf("%s: armed %d times, for %d; want %d and %d", tt.name, arms, armed-t0, tt.arms, tt.armed-t0)
			}
			r.want(tt.calls)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestRunReturnsThePollersError(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	bad := errors.New("bad")
	r.poller.Fail(bad)
	if err := r.Run(nil); !errors.Is(err, bad) {
		t.Errorf("Run = %v", err)
	}
}

func TestClose(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	tok := r.handler("a", func(ioevent.Event) bool {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		return false
	})
	_ = r.Watch(tok, 1, ioevent.Read)
	r.Ready(tok)
	r.Ready(r.handler("b", nil))
	if err := r.Run(nil); err != nil {
		t.Errorf("Run = %v after Close, want nil", err)
	}
	r.want("a")
	r.Wake()
	r.Notify(tok)
	if err := r.Unregister(tok); err != nil {
		t.Error(err)
	}
	for what, err := range map[string]error{"Close": r.Close(), "Run": r.Run(nil), "Watch": r.Watch(r.handler("c", nil), 1, ioevent.Read)} {
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s after Close = %v, want net.ErrClosed", what, err)
		}
	}
	if n := r.Poll(r.Now()); n != 0 {
		t.Errorf("Poll after Close made %d calls", n)
	}
	if calls := r.poller.Calls(); calls.Wake != 0 || calls.Remove != 0 || calls.Close != 1 {
		t.Errorf("the closed poller was used: %+v", calls)
	}
}

// TestFirstTurnDoesNotSleep is about what was queued before Run: the tick has to see it.
func TestFirstTurnDoesNotSleep(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	if err := r.Run(func(ioevent.Time) bool { r.Quit(); return false }); err != nil {
		t.Fatal(err)
	}
	if n := r.poller.Calls().Block; n != 0 {
		t.Errorf("slept %d times before the first tick", n)
	}
}

func TestNowDoesNotGoBack(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	now := r.Now()
	r.Poll(now - ms)
	r.Expire(now - ms)
	if r.Now() != now {
		t.Errorf("Now went back by %d ns", now-r.Now())
	}
}

func TestQuitAndRunAgain(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	tok := r.handler("a", func(ioevent.Event) bool { r.Quit(); return true })
	for range 3 {
		r.Notify(tok) // between two runs: must end the sleep
		if err := r.Run(nil); err != nil {
			t.Fatal(err)
		}
		r.want("a")
	}
}

// TestDeadlineIsExact runs the real clock's poller in a bubble.
func TestDeadlineIsExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := ioevent.Named("chan")
		if err != nil {
			t.Fatal(err)
		}
		l, err := ioevent.NewLoop(ioevent.Config{Mechanism: m})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		start, fired := l.Now(), 0
		for _, after := range []ioevent.Time{1, 999, 3 * ms, 3*ms + 1, 5_000_000_007, 3600_000 * ms} {
			a := newAlarm(func(now ioevent.Time) {
				fired++
				if now != start+after || now != ioevent.Now() {
					t.Errorf("timer for %d ns came after %d", after, now-start)
				}
			})
			l.Start(&a.timer, start+after)
		}
		if err := l.Run(func(ioevent.Time) bool {
			if fired == 6 {
				l.Quit()
			}
			return false
		}); err != nil {
			t.Fatal(err)
		}
		if turns := l.Counters().Turns; turns > 7 {
			t.Errorf("%d turns for 6 deadlines", turns)
		}
	})
}
