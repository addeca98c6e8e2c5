package ioevent

// push lists r as ready for the next turn, or adds to what it is ready for.
func (l *Loop) push(r *registration, in Interest) {
	r.ready |= in
	if r.queued {
		return
	}
	r.queued, r.turn = true, l.counters.Turns
	l.ready.push(r)
}

func (l *Loop) pushToken(tok Token, in Interest) {
	if r := l.registry.find(tok); r != nil {
		l.push(r, in)
	}
}

// Ready has the handler of tok called in the next turn, with Ready = Read, as if an event had come.
func (l *Loop) Ready(tok Token) { l.pushToken(tok, Read) }

// Queued reports whether the handler of tok is still to be called: it was not dry, or the budget of this turn ended before it.
func (l *Loop) Queued(tok Token) bool {
	r := l.registry.find(tok)
	return r != nil && r.queued
}

// Share is how many datagrams a handler, while it is called, should move at most, so that those behind it have their turn within the budget as well.
func (l *Loop) Share() int { return l.budget.share(l.ready.len + 1) }

// Spent is how a handler reports that it moved n datagrams. Each 256 of them the clock is read once more, and the turn's budget of time checked,
// if it has one.
func (l *Loop) Spent(n int) {
	l.counters.Datagrams += uint64(n)
	l.budget.spent += n
	if l.budget.timed() && l.budget.spent-l.budget.checked >= clockEvery {
		l.budget.check(l.readClock())
	}
}

// dispatch calls the handlers that were ready when the turn began, each once, until the budget is spent. Those that were not reached stay
// in front, for the next turn; those not dry go to the end of the list, before the events that are still to come.
func (l *Loop) dispatch() (calls int) {
	l.counters.Turns++
	l.budget.begin(l.now)
	for r := l.ready.head; r != nil && r.turn != l.counters.Turns; r = l.ready.head {
		if l.budget.over() || l.closed {
			break
		}
		l.call(r)
		calls++
	}
	return calls
}

func (l *Loop) call(r *registration) {
	ev := Event{r.token, r.ready}
	l.ready.remove(r)
	r.queued, r.ready = false, 0
	dry := r.handler.HandleEvent(ev)
	if !dry && l.registry.find(ev.Token) == r { // it may have unregistered itself
		l.push(r, ev.Ready)
	}
}
