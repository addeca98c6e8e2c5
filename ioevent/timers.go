package ioevent

// timers is a list of timers in a circle, so that a wheel's slot is one pointer. The zero value is empty.
type timers struct{ first *Timer }

// push appends t, which is in no list.
func (l *timers) push(t *Timer) {
	if l.first == nil {
		t.next, t.prev, l.first = t, t, t
		return
	}
	last := l.first.prev
	t.next, t.prev = l.first, last
	last.next, l.first.prev = t, t
}

// remove takes out t, which is in l.
func (l *timers) remove(t *Timer) {
	if t.next == t {
		l.first = nil
	} else {
		t.prev.next, t.next.prev = t.next, t.prev
		if l.first == t {
			l.first = t.next
		}
	}
	t.next, t.prev = nil, nil
}
