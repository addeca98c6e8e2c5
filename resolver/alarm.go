package resolver

import (
	"sync/atomic"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// alarm rings when the loop's next timer is due and nobody turns it. It is set by whoever turns, before that ends.
type alarm struct {
	ring  func()      // on a goroutine of its own
	rang  atomic.Bool // set before ring, so that one that gives up meanwhile sees it
	timer *time.Timer
	at    Time // what timer is set to, 0 once it is heard
}

// heard is called by the one that sees to the timers.
func (a *alarm) heard() {
	if a.rang.Swap(false) {
		a.at = 0
	}
}

// set has the alarm ring at the time given, if it does not ring before.
func (a *alarm) set(at, now Time) {
	if at == ioevent.Never || a.at != 0 && a.at <= at {
		return // an early ring sets the alarm anew
	}
	a.at = max(at, 1)
	after := time.Duration(max(at-now, 0))
	if a.timer == nil {
		a.timer = time.AfterFunc(after, func() {
			a.rang.Store(true)
			a.ring()
		})
		return
	}
	a.timer.Reset(after)
}

func (a *alarm) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
}
