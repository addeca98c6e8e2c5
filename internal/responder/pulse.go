package responder

import (
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

const (
	beat  = ioevent.Time(time.Millisecond)
	beats = 100 // without a query, and it stops
)

// A pulse tells for how long its thread was kept from looking at its sockets, by the system or by a stall: a timer that comes late. What is
// received then has not come all at once, and a limiter need not take it for a burst.
type pulse struct {
	loop  *ioevent.Loop
	timer ioevent.Timer
	left  int
}

func newPulse(l *ioevent.Loop) *pulse {
	p := &pulse{loop: l}
	p.timer.Init(p)
	return p
}

// since is when what is received at now may have come, at the earliest: now, but for a thread that is late.
func (p *pulse) since(now ioevent.Time) ioevent.Time {
	if p == nil {
		return now
	}
	p.left = beats
	if !p.timer.Active() {
		p.loop.Start(&p.timer, now+beat)
		return now
	}
	return min(p.timer.At(), now)
}

// Expire begins the next beat.
func (p *pulse) Expire(now ioevent.Time) {
	if p.left--; p.left > 0 {
		p.loop.Start(&p.timer, now+beat)
	}
}

func (p *pulse) stop() {
	if p != nil {
		p.loop.Stop(&p.timer)
	}
}
