package ioevent_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/ioevent/ioeventtest"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// A rig is a loop on a fake poller that logs what is called.
type rig struct {
	t *testing.T
	*ioevent.Loop
	poller *ioeventtest.Poller
	calls  []string
}

func newRig(t *testing.T, edge bool, c ioevent.Config) *rig {
	t.Helper()
	p := ioeventtest.NewPoller(edge)
	c.Mechanism, c.Clock = p.Mechanism(), p.Now
	l, err := ioevent.NewLoop(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return &rig{t: t, Loop: l, poller: p}
}

func (r *rig) log(format string, args ...any) {
	r.calls = append(r.calls, fmt.Sprintf(format, args...))
}

// want compares the log since the last want.
func (r *rig) want(calls string) {
	r.t.Helper()
	if got := strings.Join(r.calls, " "); got != calls {
		r.t.Errorf("called %q, want %q", got, calls)
	}
	r.calls = r.calls[:0]
}

// handler registers a handler that logs its name and does what, which may be nil: then it is dry.
func (r *rig) handler(name string, what func(ev ioevent.Event) (dry bool)) ioevent.Token {
	return r.Register(handler(func(ev ioevent.Event) bool {
		r.log("%s", name)
		return what == nil || what(ev)
	}))
}

// turn is a turn by hand.
func (r *rig) turn() (next ioevent.Time) {
	r.Poll(r.poller.Now())
	return r.Expire(r.poller.Now())
}

type handler func(ev ioevent.Event) (dry bool)

func (h handler) HandleEvent(ev ioevent.Event) bool { return h(ev) }

// An alarm calls a function when its timer comes.
type alarm struct {
	timer ioevent.Timer
	what  func(now ioevent.Time)
}

func newAlarm(what func(now ioevent.Time)) *alarm {
	a := &alarm{what: what}
	a.timer.Init(a)
	return a
}

func (a *alarm) Expire(now ioevent.Time) { a.what(now) }

const ms = ioevent.Time(time.Millisecond)

// onBoth runs a test on a level-triggered and on an edge-triggered loop.
func onBoth(t *testing.T, c ioevent.Config, test func(r *rig)) {
	t.Run("level", func(t *testing.T) { test(newRig(t, false, c)) })
	t.Run("edge", func(t *testing.T) { test(newRig(t, true, c)) })
}
