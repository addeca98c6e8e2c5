package ioevent

// A list is a doubly linked list whose nodes are part of what is listed, so that it allocates nothing. The zero value is empty.
type list[T any] struct {
	head, tail *node[T]
	len        int
}

// A node lists its owner, the struct it is a field of. It is in one list at most.
type node[T any] struct {
	next, prev *node[T]
	owner      *T
}

// push appends owner, whose node n is in no list.
func (l *list[T]) push(n *node[T], owner *T) {
	*n = node[T]{prev: l.tail, owner: owner}
	if l.tail == nil {
		l.head = n
	} else {
		l.tail.next = n
	}
	l.tail = n
	l.len++
}

// remove takes out n, which is in l.
func (l *list[T]) remove(n *node[T]) {
	if n.prev == nil {
		l.head = n.next
	} else {
		n.prev.next = n.next
	}
	if n.next == nil {
		l.tail = n.prev
	} else {
		n.next.prev = n.prev
	}
	*n = node[T]{}
	l.len--
}

// front returns the oldest element, nil where there is none.
func (l *list[T]) front() *T {
	if l.head == nil {
		return nil
	}
	return l.head.owner
}
