package ioevent_test

import (
	"errors"
	"net"
	"testing"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

func TestHandlerGetsItsEvent(t *testing.T) {
	onBoth(t, ioevent.Config{}, func(r *rig) {
		var got []ioevent.Event
		tok := r.handler("a", func(ev ioevent.Event) bool { got = append(got, ev); return true })
		if err := r.Watch(tok, 5, ioevent.Read); err != nil {
			r.t.Fatal(err)
		}
		r.poller.SetReady(5, ioevent.Read|ioevent.Write)
		if n := r.Poll(r.poller.Now()); n != 1 || len(got) != 1 || got[0] != (ioevent.Event{Token: tok, Ready: ioevent.Read}) {
			r.t.Errorf("%d calls: %v, want one with token %#x and Read", n, got, tok)
		}
	})
}

func TestNotDryIsCalledNextTurn(t *testing.T) {
	onBoth(t, ioevent.Config{}, func(r *rig) {
		left := 3
		tok := r.handler("a", func(ev ioevent.Event) bool {
			if ev.Ready != ioevent.Read|ioevent.Write {
				r.t.Errorf("Ready = %b, want as it was", ev.Ready)
			}
			left--
			return left == 0
		})
		_ = r.Watch(tok, 5, ioevent.Read|ioevent.Write)
		r.poller.SetReady(5, ioevent.Read|ioevent.Write)
		now := r.poller.Now()
		if next := r.turn(); next != now {
			r.t.Errorf("with one left over Expire = %d, want now", next)
		}
		r.want("a")
		r.turn()
		r.want("a")
		r.poller.SetReady(5, 0)
		r.turn()
		r.want("a")
		if next := r.turn(); next != ioevent.Never {
			r.t.Errorf("with nothing left Expire = %d, want Never", next)
		}
		r.want("")
	})
}

func TestEventsMergeWhileQueued(t *testing.T) {
	r := newRig(t, false, ioevent.Config{})
	var ready ioevent.Interest
	tok := r.handler("a", func(ev ioevent.Event) bool { ready = ev.Ready; return true })
	r.poller.Inject(ioevent.Event{Token: tok, Ready: ioevent.Read})
	r.poller.Inject(ioevent.Event{Token: tok, Ready: ioevent.Error})
	r.turn()
	r.want("a")
	if ready != ioevent.Read|ioevent.Error {
		t.Errorf("Ready = %b, want both", ready)
	}
}

func TestBudgetLeavesTheRestInFront(t *testing.T) {
	onBoth(t, ioevent.Config{Datagrams: 10}, func(r *rig) {
		never := func(ioevent.Event) bool { r.Spent(5); return false }
		for i, name := range []string{"a", "b", "c"} {
			_ = r.Watch(r.handler(name, never), i, ioevent.Read)
			r.poller.SetReady(i, ioevent.Read)
		}
		for _, turn := range []string{"a b", "c a", "b c"} {
			r.turn()
			r.want(turn)
		}
		// A newcomer comes behind what is left over, and its turn comes.
		_ = r.Watch(r.handler("new", nil), 9, ioevent.Read)
		r.poller.SetReady(9, ioevent.Read)
		for _, turn := range []string{"a b", "c new a"} {
			r.turn()
			r.want(turn)
		}
	})
}

func TestNeverDryStarvesNobody(t *testing.T) {
	onBoth(t, ioevent.Config{Datagrams: 1}, func(r *rig) {
		hog := r.handler("hog", func(ioevent.Event) bool { r.Spent(100); return false })
		r.Ready(hog)
		_ = r.Watch(r.handler("other", nil), 1, ioevent.Read)
		a := newAlarm(func(ioevent.Time) { r.log("timer") })
		r.Start(&a.timer, r.Now()+ms)
		turns := 0
		err := r.Run(func(ioevent.Time) bool {
			r.log("tick")
			turns++
			switch turns {
			case 1:
				r.poller.Advance(time.Millisecond)
				r.poller.SetReady(1, ioevent.Read)
			case 2:
				r.poller.SetReady(1, 0)
			case 4:
				r.Quit()
			}
			return false
		})
		r.want("hog tick hog timer tick other hog tick hog tick")
		if err != nil || r.poller.Calls().Block != 0 {
			r.t.Errorf("Run = %v after %d blocking waits, want nil after none", err, r.poller.Calls().Block)
		}
	})
}

func TestReadyCallsNextTurn(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	var a, b ioevent.Token
	a = r.handler("a", func(ioevent.Event) bool { r.Ready(a); r.Ready(b); return true })
	b = r.handler("b", func(ev ioevent.Event) bool {
		if ev.Ready != ioevent.Read {
			t.Errorf("Ready = %b, want Read", ev.Ready)
		}
		return true
	})
	r.Ready(a)
	for _, turn := range []string{"a", "a b", "a", "a b"} { // while b is still to come, Ready(b) asks for no more
		r.turn()
		r.want(turn)
	}
}

func TestUnregisterDuringDispatch(t *testing.T) {
	onBoth(t, ioevent.Config{}, func(r *rig) {
		var self, other ioevent.Token
		unregister := func(tok ioevent.Token) {
			if err := r.Unregister(tok); err != nil {
				r.t.Error(err)
			}
		}
		self = r.handler("self", func(ioevent.Event) bool {
			unregister(self)
			unregister(other)
			r.Ready(r.handler("new", nil)) // takes the memory of one of them
			return false
		})
		other = r.handler("other", nil)
		for i, tok := range []ioevent.Token{self, other} {
			_ = r.Watch(tok, i, ioevent.Read)
			r.poller.SetReady(i, ioevent.Read)
		}
		r.turn()
		r.want("self")
		if n := r.poller.Calls().Remove; n != 2 {
			r.t.Errorf("%d descriptors removed from the poller, want 2", n)
		}
		r.poller.Inject(ioevent.Event{Token: other, Ready: ioevent.Read}) // was already fetched
		r.Notify(self)
		r.Ready(self)
		r.turn()
		r.want("new")
		r.poller.Inject(ioevent.Event{Token: other, Ready: ioevent.Read}) // while its memory is in use by another
		r.turn()
		r.want("")
		unregister(self)
	})
}

func TestTokensAreNeverReused(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	seen := map[ioevent.Token]bool{0: true}
	var kept ioevent.Token
	for i := range 1000 {
		tok := r.handler("", nil)
		if seen[tok] {
			t.Fatalf("token %#x given twice, or 0", tok)
		}
		seen[tok] = true
		if i%10 == 0 {
			kept, tok = tok, kept
		}
		_ = r.Unregister(tok)
	}
}

func TestWatch(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	tok := r.handler("a", nil)
	for _, fd := range []int{3, 3, 4} { // add, change, another
		if err := r.Watch(tok, fd, ioevent.Read); err != nil {
			t.Fatal(err)
		}
	}
	if c := r.poller.Calls(); c.Add != 3 || c.Remove != 1 {
		t.Errorf("calls %+v, want 3 Add and 1 Remove", c)
	}
	_ = r.Unregister(tok)
	if err := r.Watch(tok, 5, ioevent.Read); !errors.Is(err, net.ErrClosed) {
		t.Errorf("watching with a dead token: %v, want net.ErrClosed", err)
	}
}

func TestPanicIsTheHandlersOwn(t *testing.T) {
	r := newRig(t, true, ioevent.Config{})
	r.Ready(r.handler("bad", func(ioevent.Event) bool { panic("bad") }))
	r.Ready(r.handler("good", nil))
	func() {
		defer func() {
			if recover() != "bad" {
				t.Error("the loop recovered the panic")
			}
		}()
		r.turn()
	}()
	r.turn()
	r.want("bad good")
}
