package ioevent

import "net"

// Run turns the loop until Quit or Close and returns nil, or the error the poller's wait ended with. A turn waits, reads the clock, calls the
// handlers that are ready, fires the timers that are due and calls tick. The wait sleeps only when nothing is left over: no handler that was
// not dry or not reached, no timer that is due, and more false. Nil is a tick with nothing to do.
func (l *Loop) Run(tick func(now Time) (more bool)) error {
	if l.closed {
		return net.ErrClosed
	}
	if tick == nil {
		tick = func(Time) bool { return false }
	}
	l.quit = false
	l.reckoner.gap = true
	var err error
	for more := true; err == nil && !l.quit && !l.closed; {
		var now Time
		if now, err = l.Turn(more); err == nil {
			more = tick(now)
		}
	}
	l.waker.leave()
	return err
}

// Quit has Run return after this turn.
func (l *Loop) Quit() { l.quit = true }

// Turn is one turn of Run but for the tick, which its caller does, and whose more is given to the next Turn as busy. It returns the turn's time. It is for
// goroutines that turn a loop one after the other, each as long as it likes; what synchronizes them is theirs. Between two turns, and not after
// Run or Poll, Wake leaves it to the next one to notice: FD does not show it.
func (l *Loop) Turn(busy bool) (now Time, err error) {
	if l.closed {
		return l.now, net.ErrClosed
	}
	slept, quiet, err := l.pause(busy)
	if err != nil {
		return l.now, err
	}
	woken := slept && l.ready.len > 0
	clock := l.tellTime(slept)
	if slept && quiet && l.now < l.armed {
		l.armed = Never // a timer that came early, as where the system rounds, has to be armed again
	}
	l.dispatch()
	if woken {
		l.counters.Wakes++
		l.counters.PerWake.Add(l.budget.spent)
	}
	l.fire(clock)
	return l.now, nil
}

// pause is the wait that a turn begins with. It has slept if it was allowed to: only the clock would tell more. Where that is dear and there was
// much to do in the last turn, it looks first.
func (l *Loop) pause(busy bool) (slept, quiet bool, err error) {
	if busy {
		quiet, err = l.wait(false)
		return false, quiet, err
	}
	if l.reckoner.every > 1 && l.budget.spent > 1 && l.ready.len == 0 {
		if quiet, err = l.wait(false); !quiet || err != nil {
			return false, quiet, err
		}
	}
	if slept, err = l.fallAsleep(); err != nil {
		return false, false, err
	}
	quiet, err = l.wait(slept)
	return slept, quiet, err
}

// tellTime sets the turn's time. It returns what the clock says, or unread where that was not asked.
func (l *Loop) tellTime(slept bool) (clock Time) {
	l.reckoner.gap = l.reckoner.gap || slept
	if !l.reckoner.turn() {
		l.setNow(max(l.reckoner.reckoned(), l.latest))
		return unread
	}
	clock = l.readClock()
	l.reckoner.read(clock)
	l.setNow(clock)
	return clock
}

// fire fires the timers that are due by the clock. Where that was not read, Now only tells whether there may be some.
func (l *Loop) fire(clock Time) {
	if clock == unread {
		if l.wheel.next() > l.now {
			return
		}
		clock = l.readClock()
		l.setNow(clock)
	}
	l.wheel.expire(clock)
}

// fallAsleep reports whether there is nothing to do before the next event or timer, and arms the poller for the latter.
func (l *Loop) fallAsleep() (bool, error) {
	next := l.wheel.next()
	if l.ready.len > 0 || next <= l.now {
		return false, nil
	}
	if l.armed <= l.now {
		l.armed = Never // it has come
	}
	if next < l.armed { // a later one is armed when this one has come: most are stopped before
		if err := l.poller.Arm(next); err != nil {
			return false, err
		}
		l.armed = next
	}
	return l.waker.sleep(), nil
}

// wait lists the handlers that have become ready. It is quiet if nothing came from the poller nor from other goroutines.
func (l *Loop) wait(block bool) (quiet bool, err error) {
	l.counters.Waits++
	n, err := l.poller.Wait(l.events[:], block)
	for _, ev := range l.events[:n] {
		l.pushToken(ev.Token, ev.Ready)
	}
	tokens, woken := l.waker.take()
	for _, tok := range tokens {
		l.pushToken(tok, Read|Write)
	}
	return n == 0 && !woken, err
}

// Poll is how another loop turns this one, with the time now of the loop's clock: it looks for events without sleeping, calls handlers
// within the budget, and returns how many calls it made. The other loop calls it when FD is readable and at the time that Expire returned. An
// error of the poller is taken as no event.
func (l *Loop) Poll(now Time) int {
	if l.closed {
		return 0
	}
	l.given(now)
	_, _ = l.wait(false)
	calls := l.dispatch()
	l.waker.leave()
	return calls
}

// Expire fires the timers due at now. It returns when to call Poll and Expire again, if FD is not readable before: at once (a time not after
// now) where handlers are left over, Never where no timer runs.
func (l *Loop) Expire(now Time) (next Time) {
	l.given(now)
	l.wheel.expire(l.now)
	if l.ready.len > 0 {
		return l.now
	}
	return l.wheel.next()
}

// given takes the time from another loop. What passes until the next Turn, none of this loop's turns takes.
func (l *Loop) given(now Time) {
	l.setNow(now)
	l.reckoner.gap = true
}
