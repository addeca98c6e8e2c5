package resolver

import (
	"github.com/dnsq/dnsq/ioevent"
)

// Now is the time of this turn, as the clock was read when it began: for a Done that wants to know when its reply came, and for who turns the
// engine. It does not read the clock.
func (e *Engine) Now() Time { return e.loop.Now() }

// Turn is one turn on the calling goroutine, for a program with a schedule of its own: it sends what is queued, sleeps in the engine's own poller where there
// is nothing to do, takes what came, and fires what is due. It calls Done for what ended. What is submitted after it, or in a Done, leaves with the next.
//
// It sleeps no longer than until, and not at all where that is not after the time: 0 only looks, ioevent.Never waits until something comes. It may return
// before until, with nothing done. So a program that sends on time does
//
//	for e.Now() < at {
//		if err := e.Turn(at); err != nil { ... }
//	}
//
// after which e.Now() is the time, not before at. A system's timers come late, by 50 to 100 µs on a virtual machine. So Turn sleeps until Config.Spin before
// until, and within that time only looks, again and again as it is called. With a poller that watches no descriptors, or one of
// ioevent.Spin, it does not make this difference.
//
// The error is ErrClosed where the engine was closed before, or that of the poller's wait. Inside a Done it is refused.
func (e *Engine) Turn(until Time) error {
	switch {
	case e.closed:
		return ErrClosed
	case e.inside:
		return errInsideDone
	}
	if e.toSend() {
		e.loop.Refresh() // the caller's code ran since
	}
	completed := e.stats.Completed
	busy := e.turn(e.loop.Now())
	if e.closed {
		return nil
	}
	busy = busy || e.stats.Completed != completed || e.near(until) // whoever was told may want to act
	_, err := e.loop.Turn(busy)
	e.loop.Stop(&e.until.Timer)
	if e.closed {
		err = nil
	}
	return err
}

// near reports whether until is too close to sleep. Else it sets the timer that ends the sleep.
func (e *Engine) near(until Time) bool {
	if until == ioevent.Never {
		return false
	}
	at := until - e.until.early
	if at <= e.loop.Now() {
		return true
	}
	e.loop.Start(&e.until.Timer, at)
	return false
}

// sleep is the timer that ends the sleep of a turn.
type sleep struct {
	ioevent.Timer
	early Time // how long before
}

// Expire does nothing: to be awake is all.
func (*sleep) Expire(Time) {}

// init has sleeps end as long before their time as c says.
func (s *sleep) init(c *Config) {
	s.Init(s)
	if c.Poller.Files && c.Poller.Latency != ioevent.Spin { // elsewhere what comes does so by way of a goroutine, which needs the processor
		s.early = max(0, Time(c.Spin))
	}
}
