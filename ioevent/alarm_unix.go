//go:build unix && !linux

package ioevent

import (
	"sync"
	"time"
)

// alarm is the timer of the poller poll, here one of the runtime that wakes it.
type alarm struct {
	timer  *time.Timer
	mu     sync.Mutex // over what follows
	wakefd wakefd
	closed bool
}

func openAlarm(w wakefd) (*alarm, error) {
	a := &alarm{wakefd: w}
	a.timer = time.AfterFunc(time.Hour, a.ring)
	a.timer.Stop()
	return a, nil
}

func (a *alarm) ring() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed { // the descriptor may by now be somebody else's
		_ = a.wakefd.signal()
	}
}

// file is the descriptor to poll, or -1.
func (a *alarm) file() int { return -1 }

func (a *alarm) arm(c *Counters, at Time) error {
	if at == Never {
		a.timer.Stop()
		return nil
	}
	c.ClockReads++
	a.timer.Reset(time.Duration(at - Now()))
	return nil
}

func (a *alarm) drain() {}

func (a *alarm) close() error {
	a.timer.Stop()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	return nil
}
