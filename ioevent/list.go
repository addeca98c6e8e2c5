package ioevent

// A list is a doubly linked list of registrations, whose links are part of them, so that it allocates nothing. The zero value is empty.
type list struct {
	head, tail *registration
	len        int
}

// push appends r, which is not in l.
func (l *list) push(r *registration) {
	r.next, r.prev = nil, l.tail
	if l.tail == nil {
		l.head = r
	} else {
		l.tail.next = r
	}
	l.tail = r
	l.len++
}

// remove takes out r, which is in l.
func (l *list) remove(r *registration) {
	if r.prev == nil {
		l.head = r.next
	} else {
		r.prev.next = r.next
	}
	if r.next == nil {
		l.tail = r.prev
	} else {
		r.next.prev = r.prev
	}
	r.next, r.prev = nil, nil
	l.len--
}
