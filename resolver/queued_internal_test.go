package resolver

import (
	"testing"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// TestSinceStamp: stamps of the wall clock are put on the loop's, and what came after the turn began has not waited.
func TestSinceStamp(t *testing.T) {
	var c wallClock
	now, wall := ioevent.Wall()
	if got := c.since(wall-int64(time.Second), now); got < second(0.999) || got > second(1.001) {
		t.Errorf("a second before the turn: %v", time.Duration(got))
	}
	if got := c.since(wall+int64(time.Second), now); got != 0 {
		t.Errorf("a second after it: %v", time.Duration(got))
	}
	c.ahead += int64(time.Hour) // the wall clock is set back
	if got := c.since(wall, now+second(2)); got < second(1.999) || got > second(2.001) {
		t.Errorf("in the next turn, two seconds later: %v", time.Duration(got))
	}
}
