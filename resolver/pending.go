package resolver

import (
	"github.com/dnsq/dnsq/ioevent"
)

// pending is the engine's state of one query that is not done. With a million outstanding its size is what counts: what few queries need is in past.
type pending struct {
	q      *Query
	msg    []byte        // the query as sent; each attempt writes its own ID
	timer  ioevent.Timer // the end of the attempt, of a pause or of the query, whichever comes first
	sent   Time          // when the attempt left
	server *server       // whom the current attempt asks
	sock   *udpSocket
	past   *past // of an attempt that did not simply succeed, or nil

	prev, next *pending // links of a queue

	number number // in the engine's slab
	index  uint16 // the server's place among the query's servers
	id     uint16 // on sock

	edns     bool // the caller's message has an OPT record
	explicit bool // which asks for something, so that it cannot be left out
	plain    bool // msg was made without OPT
	done     bool // its completion is queued
	answered bool // a reply to the current attempt has come
	where    inQueue

	short [56]byte // where msg is, unless it is longer
}

// Expire runs when the timer fires.
func (p *pending) Expire(now Time) { p.engine().expire(p, now) }

func (p *pending) engine() *Engine { return p.q.engine }

// once reports whether the query is one send, whatever comes of it.
func (p *pending) once() bool { return p.q.Flags&Once != 0 }

// deadline is the end of the query.
func (p *pending) deadline() Time {
	if p.q.Deadline == 0 {
		return ioevent.Never
	}
	return p.q.Deadline
}

// reset makes p, which is detached from everything, ready for another query and keeps its memory. What each query sets is left.
func (p *pending) reset() {
	p.msg = p.msg[:0]
	p.edns, p.explicit, p.plain, p.done = false, false, false, false
}

// inQueue names the queue that a query waits in.
type inQueue uint8

const (
	inNone    inQueue = iota
	inStart           // Engine.start
	inPaused          // Engine.paused
	inServer          // the queue of its server
	inStreams         // that of its server's connections
)

// queueOf returns the queue that p is in, or nil.
func (e *Engine) queueOf(p *pending) *queue {
	switch p.where {
	case inStart:
		return &e.start
	case inPaused:
		return &e.paused
	case inServer:
		return &p.server.queue
	case inStreams:
		return &p.server.streams.queue
	}
	return nil
}

// queue is a list of pending queries that wait to be sent. A query is in one at most.
type queue struct {
	head, tail *pending
	len        int
	name       inQueue
}

func (l *queue) pushBack(p *pending) {
	p.where, p.prev, p.next = l.name, l.tail, nil
	if l.tail != nil {
		l.tail.next = p
	} else {
		l.head = p
	}
	l.tail = p
	l.len++
}

func (l *queue) pushFront(p *pending) {
	p.where, p.prev, p.next = l.name, nil, l.head
	if l.head != nil {
		l.head.prev = p
	} else {
		l.tail = p
	}
	l.head = p
	l.len++
}

func (l *queue) popFront() *pending {
	p := l.head
	if p != nil {
		l.remove(p)
	}
	return p
}

func (l *queue) remove(p *pending) {
	if p.prev != nil {
		p.prev.next = p.next
	} else {
		l.head = p.next
	}
	if p.next != nil {
		p.next.prev = p.prev
	} else {
		l.tail = p.prev
	}
	p.where, p.prev, p.next = inNone, nil, nil
	l.len--
}

// appendAll appends every query of the list to dst.
func (l *queue) appendAll(dst []*pending) []*pending {
	for p := l.head; p != nil; p = p.next {
		dst = append(dst, p)
	}
	return dst
}
