package resolver

import (
	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// wallClock is how far the wall clock, which the kernel stamps with, was ahead of the loop's in a turn.
type wallClock struct {
	turn  Time // when that was; 0: not read yet
	ahead int64
}

// waited is how long d was in the receive queue, where its stamp says, as a response has it.
func (e *Engine) waited(d *backend.Datagram, now Time) uint32 {
	if d.Stamp == 0 {
		return 0
	}
	return uint32(e.wall.since(d.Stamp, now) >> traceUnit)
}

// since is the time from a stamp to the turn's, never negative. It reads the clocks once a turn.
func (c *wallClock) since(stamp int64, now Time) Time {
	if c.turn != now {
		clock, wall := ioevent.Wall()
		c.turn, c.ahead = now, wall-int64(clock)
	}
	return max(0, now-Time(stamp-c.ahead))
}
