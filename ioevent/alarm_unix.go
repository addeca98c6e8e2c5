//go:build unix && !linux

package ioevent

import (
	"sync"
	"time"
)

// alarm is the timer of the poller poll, here one of the runtime that makes a pipe readable.
type alarm struct {
	timer  *time.Timer
	mu     sync.Mutex // over what follows
	wakefd wakefd
	at     Time
	closed bool
}

func openAlarm() (*alarm, error) {
	w, err := openWakefd()
	if err != nil {
		return nil, err
	}
	a := &alarm{wakefd: w, at: Never}
	a.timer = time.AfterFunc(time.Hour, a.ring)
	a.timer.Stop()
	return a, nil
}

// ring runs on a goroutine of its own: it may come after it was stopped, or set to another time, or closed.
func (a *alarm) ring() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed && Now() >= a.at {
		_ = a.wakefd.signal()
	}
}

// file is the descriptor to poll.
func (a *alarm) file() int { return a.wakefd.fd }

// arm sets the timer to at, in place of the time before; what it said is forgotten.
func (a *alarm) arm(c *Counters, at Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer.Stop()
	c.Syscalls++
	a.wakefd.drain()
	a.at = at
	if at != Never {
		c.ClockReads++
		a.timer.Reset(time.Duration(at - Now()))
	}
	return nil
}

// drain makes it unreadable.
func (a *alarm) drain() { a.wakefd.drain() }

func (a *alarm) close() error {
	a.timer.Stop()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	return a.wakefd.close()
}
