package resolver

import "math"

// past is what an engine remembers of a query that does not simply get its answer to the first datagram.
type past struct {
	tries    []int32   // sends to each of the query's servers; excluded: not to be asked again
	attempts []attempt // that have ended
	best     response  // the last failure reply, in case nothing better comes; its msg is a copy
	giveUp   Time      // the end of a series of pauses
	misses   int       // forged-looking replies
	pauses   uint8     // waits for local resources, in a row; at most maxPauses
	redialed bool      // was moved once to a new connection
	conn     *tcpConn  // that the query waits on, besides its socket or instead, or nil
	connID   uint16    // on conn

	next *past // of those to be used again
}

// excluded marks a server that has answered, with a failure: it is not asked again for the same query.
const excluded = math.MaxInt32

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

// remember returns p's past, which begins with the one attempt that p has made.
func (p *pending) remember() *past {
	if p.past != nil {
		return p.past
	}
	e := p.engine()
	h := e.pasts
	if h == nil {
		h = new(past)
	} else {
		e.pasts, h.next = h.next, nil
	}
	for range e.serversOf(p.q) {
		h.tries = append(h.tries, 0)
	}
	if p.server != nil {
		h.tries[p.index] = 1
	}
	p.past = h
	return h
}

// forget has p's past used again.
func (e *Engine) forget(p *pending) {
	h := p.past
	if h == nil {
		return
	}
	p.past = nil
	clear(h.attempts)
	*h = past{tries: h.tries[:0], attempts: h.attempts[:0], best: response{msg: h.best.msg[:0]}, next: e.pasts}
	e.pasts = h
}

// conn is the connection that p waits on, or nil.
func (p *pending) conn() *tcpConn {
	if p.past == nil {
		return nil
	}
	return p.past.conn
}

// tried is the number of sends to the query's server i, or excluded.
func (p *pending) tried(i int) int {
	if p.past == nil {
		return 0
	}
	return int(p.past.tries[i])
}

// record remembers how an attempt ended.
func (p *pending) record(a attempt) {
	h := p.remember()
	if len(h.attempts) == maxAttempts {
		h.attempts[maxAttempts-1] = a
		return
	}
	h.attempts = append(h.attempts, a)
}
