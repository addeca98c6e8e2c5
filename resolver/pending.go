package resolver

import (
	"github.com/dnsq/dnsq/ioevent"
)

// pending is the engine's state of one query that is not done. Engines reuse them, so that a query allocates nothing.
type pending struct {
	e        *Engine
	q        *Query
	msg      []byte        // the query as sent; each attempt writes its own ID
	timer    ioevent.Timer // the end of the attempt, of a pause or of the query, whichever comes first
	deadline Time          // the end of the query
	giveUp   Time          // the end of the attempt
	sent     Time          // when the attempt left

	prev, next *pending // links of queue
	queue      *queue   // where it waits to be sent, or nil

	server *server // whom the current attempt asks
	index  int     // its place among the query's servers
	tries  []int32 // sends to each of the query's servers; excluded: not to be asked again
	sock   *udpSocket
	conn   *tcpConn
	id     uint16 // on sock
	connID uint16 // on conn

	attempts []attempt
	saved    []byte // the last failure reply, in case nothing better comes
	best     Reply  // describes saved

	progress
}

// progress is what becomes of a query on its way.
type progress struct {
	edns     bool  // the caller's message has an OPT record
	explicit bool  // which asks for something, so that it cannot be left out
	plain    bool  // msg was made without OPT
	redialed bool  // was moved once to a new connection
	done     bool  // its completion is queued
	pauses   uint8 // waits for local resources, in a row; at most maxPauses
	misses   int   // forged-looking replies
}

// attempt is the short form of Attempt.
type attempt struct {
	server    *server
	rtt       Time
	err       error
	rcode     int16
	size      uint16
	transport Transport
	truncated bool
}

// maxAttempts bounds the attempts remembered for one query.
const maxAttempts = 64

// Expire runs when the timer fires.
func (p *pending) Expire(now Time) { p.e.expire(p, now) }

// reset makes p, which is detached from everything, ready for another query and keeps its memory. What each query sets is left.
func (p *pending) reset() {
	p.msg, p.tries, p.attempts = p.msg[:0], p.tries[:0], p.attempts[:0]
	if len(p.saved) > 0 {
		p.saved, p.best = p.saved[:0], Reply{}
	}
	p.progress = progress{}
}

// record remembers how an attempt ended.
func (p *pending) record(a attempt) {
	if len(p.attempts) == maxAttempts {
		p.attempts[maxAttempts-1] = a
		return
	}
	p.attempts = append(p.attempts, a)
}

// queue is a list of pending queries that wait to be sent. A query is in one at most.
type queue struct {
	head, tail *pending
	len        int
}

func (l *queue) pushBack(p *pending) {
	p.queue, p.prev, p.next = l, l.tail, nil
	if l.tail != nil {
		l.tail.next = p
	} else {
		l.head = p
	}
	l.tail = p
	l.len++
}

func (l *queue) pushFront(p *pending) {
	p.queue, p.prev, p.next = l, nil, l.head
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
	p.queue, p.prev, p.next = nil, nil, nil
	l.len--
}

// appendAll appends every query of the list to dst.
func (l *queue) appendAll(dst []*pending) []*pending {
	for p := l.head; p != nil; p = p.next {
		dst = append(dst, p)
	}
	return dst
}
