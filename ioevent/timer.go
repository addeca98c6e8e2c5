package ioevent

// An Expirer is told, on the loop's goroutine, that its Timer has come. The Timer is no longer running; it may be started again, and so may
// any other be started or stopped.
type Expirer interface {
	// Expire is called with the time given to Loop.Expire, which is never before the time the Timer was started for.
	Expire(now Time)
}

// A Timer calls its owner once, at a time. It is meant to be a field of what it times: it allocates nothing. It belongs to one Loop and
// to that loop's goroutine, and must not be copied while it runs.
type Timer struct {
	next, prev *Timer // of its list, in a circle
	at         Time
	owner      Expirer
	slot       slotNumber
}

// Init sets who is told. It is called once, before the first Loop.Start.
func (t *Timer) Init(o Expirer) { t.owner = o }

// Active reports whether the timer runs: it was started and has neither come nor been stopped.
func (t *Timer) Active() bool { return t.slot != noSlot }

// At returns the time it was last started for.
func (t *Timer) At() Time { return t.at }
