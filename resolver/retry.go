package resolver

import (
	"errors"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/wire"
)

// begin starts a submitted query.
func (e *Engine) begin(p *pending, now Time) {
	if p.deadline() <= now {
		e.finish(p, ErrTimeout)
		return
	}
	if p.once() {
		p.assign(e.serverOf(p.q, 0), 0)
		e.ask(p, false, now)
		return
	}
	e.again(p, now)
}

// again makes the next attempt, or ends p where none is left. It only queues, so that failures in a row do not nest.
func (e *Engine) again(p *pending, now Time) {
	i := e.choose(p, now)
	if i < 0 {
		e.exhausted(p)
		return
	}
	p.assign(e.serverOf(p.q, i), i)
	// A server that is silent may drop what has an OPT record: the last try goes without.
	last := p.tried(i) > 0 && p.tried(i) == e.cfg.Tries-1
	if p.past != nil {
		p.past.tries[i]++
	}
	e.ask(p, last && !p.explicit, now)
}

// ask queues an attempt at p's server, with an OPT record or plain.
func (e *Engine) ask(p *pending, plain bool, now Time) {
	p.sent = now
	if plain = plain || !p.edns; plain != p.plain {
		p.compose(p.q, plain)
	}
	e.queueUp(p, now)
}

// queueUp gives the attempt to its transport.
func (e *Engine) queueUp(p *pending, now Time) {
	if p.q.Flags&OverTCP != 0 {
		e.overTCP(p, now)
		return
	}
	p.server.enqueue(p)
	if p.q.Deadline != 0 {
		e.loop.Start(&p.timer, p.q.Deadline)
	}
}

// choose returns the server to ask next: the one asked least, then one that did not fail lately, then the first in order; -1 where all have had their tries.
func (e *Engine) choose(p *pending, now Time) int {
	best, bestDown := -1, false
	for i := range e.serversOf(p.q) {
		n := p.tried(i)
		if n >= e.cfg.Tries {
			continue
		}
		down := e.serverOf(p.q, i).downUntil > now
		if best < 0 || n < p.tried(best) || n == p.tried(best) && bestDown && !down {
			best, bestDown = i, down
		}
	}
	return best
}

// serversOf is the number of servers that q may be asked of, and serverOf is one of them.
func (e *Engine) serversOf(q *Query) int {
	if q.Servers != nil {
		return len(q.Servers)
	}
	return len(e.known)
}

func (e *Engine) serverOf(q *Query, i int) *server {
	if q.Servers != nil {
		return e.state(q.Servers[i])
	}
	return e.known[i]
}

// shorten has q, submitted or about to be, end by at.
func (e *Engine) shorten(q *Query, at Time) {
	if q.Deadline != 0 && q.Deadline <= at {
		return
	}
	q.Deadline = at
	p := q.p
	if p == nil || p.done {
		return
	}
	if p.where != inStart && (!p.timer.Active() || p.timer.At() > at) {
		e.loop.Start(&p.timer, at)
	}
}

// left notes that p's message is on its way and starts the clock of the attempt: one try's length, or less where the deadline must leave
// room for the servers that were not asked yet.
func (e *Engine) left(p *pending, via Transport, now Time) {
	e.stats.Sent++
	p.sent = now
	if p.past != nil {
		p.past.pauses = 0
	}
	length := Time(e.cfg.Timeout)
	if p.q.Deadline != 0 {
		length = max(1, min(length, (p.q.Deadline-now)/Time(e.unasked(p)+1)))
	}
	e.loop.Start(&p.timer, now+length)
}

// unasked counts the servers that have not been asked yet and may be, p's apart.
func (e *Engine) unasked(p *pending) (n int) {
	if p.once() {
		return 0
	}
	for i := range e.serversOf(p.q) {
		if p.tried(i) == 0 && i != int(p.index) {
			n++
		}
	}
	return n
}

// expire runs when p's timer fires: at the end of the query, of a pause or of an attempt.
func (e *Engine) expire(p *pending, now Time) {
	waiting := p.sock != nil || p.conn() != nil
	switch {
	case waiting && e.unread(p):
		e.loop.Start(&p.timer, now)
	case now >= p.deadline():
		if waiting {
			e.stats.Timeouts++
			p.record(attempt{server: p.server, transport: p.via(), rtt: now - p.sent, rcode: -1, err: ErrTimeout})
		}
		e.end(p, ErrTimeout)
	case waiting:
		e.stats.Timeouts++
		if c := p.conn(); c != nil && (!p.once() || c.moved < p.sent) {
			c.retire() // it may hang: the next query dials anew
		}
		e.fail(p, ErrTimeout, now)
	default: // a pause is over
		e.detach(p)
		e.queueUp(p, now)
	}
}

// via is the transport of the current attempt.
func (p *pending) via() Transport {
	if p.sock == nil && p.conn() != nil {
		return TCP
	}
	return UDP
}

// fail ends the current attempt for a reason that is the server's or the network's, and makes the next.
func (e *Engine) fail(p *pending, why error, now Time) {
	p.record(attempt{server: p.server, transport: p.via(), rtt: now - p.sent, rcode: -1, err: why})
	if !scarce(why) {
		p.server.down(now)
	}
	if p.once() {
		e.finish(p, why)
		return
	}
	e.detach(p)
	e.again(p, now)
}

// accept takes a reply that matches p: it ends the query, or it is a failure of the server, which another may make good.
func (e *Engine) accept(p *pending, msg []byte, info *wire.Info, via Transport, now Time) {
	p.server.up()
	a := attempt{server: p.server, transport: via, rtt: now - p.sent, rcode: int16(info.Rcode), size: size(msg), truncated: info.Truncated()}
	trailing := uint16(len(msg) - info.End)
	switch {
	case p.once():
		e.finish(p, nil).take(a, msg, trailing)
	case ednsTrouble(info.Rcode) && !p.plain && !p.explicit:
		p.record(a)
		e.detach(p)
		e.ask(p, true, now)
	case failed(info.Rcode) || p.lame(info):
		p.record(a)
		h := p.past
		h.best = response{attempt: a, msg: append(h.best.msg[:0], msg...), trailing: trailing, listed: true, queued: e.queued} // the answer where nobody has a better one
		h.tries[p.index] = excluded
		e.detach(p)
		e.again(p, now)
	default:
		e.finish(p, nil).take(a, msg, trailing)
	}
}

// exhausted ends a query that has no try left.
func (e *Engine) exhausted(p *pending) {
	why := ErrNoServers
	if p.past != nil && len(p.past.attempts) > 0 {
		why = p.past.attempts[len(p.past.attempts)-1].err
	}
	e.end(p, why)
}

// end ends p with the failure reply that it has, or with why.
func (e *Engine) end(p *pending, why error) {
	if p.past != nil && len(p.past.best.msg) > 0 {
		*e.finish(p, nil) = p.past.best
		return
	}
	e.finish(p, why)
}

// nearMiss counts a reply to p that looks guessed. Enough of them, and the question is asked over TCP, which cannot be guessed at, while
// the wait over UDP goes on.
func (e *Engine) nearMiss(p *pending, now Time) {
	if p.once() {
		return
	}
	h := p.remember()
	h.misses++
	if h.misses == e.cfg.NearMisses && h.conn == nil {
		e.stats.Suspicions++
		e.besides(p)
	}
}

// scarce reports whether err says that this machine is short of something, not that the server or the network failed.
func scarce(err error) bool {
	return errors.Is(err, backend.ErrNoFiles) || errors.Is(err, backend.ErrNoPorts) || errors.Is(err, backend.ErrNoBuffers) ||
		errors.Is(err, errNoIDs)
}

// maxPauses bounds the doubling of the waits for local resources, to 128 ms.
const maxPauses = 7

// unsent handles a query that could not be sent. Where the machine is short of something it waits, longer each time, as long as an attempt may take.
func (e *Engine) unsent(p *pending, why error, now Time) {
	if !scarce(why) || p.once() {
		e.fail(p, why, now)
		return
	}
	e.stats.Unsent++
	h := p.remember()
	pause := Time(time.Millisecond) << h.pauses
	if h.pauses == 0 {
		h.giveUp = now + Time(e.cfg.Timeout)
	}
	if now+pause > h.giveUp {
		h.pauses = 0
		e.fail(p, why, now)
		return
	}
	h.pauses = min(h.pauses+1, maxPauses)
	e.detach(p)
	e.paused.pushBack(p)
	e.loop.Start(&p.timer, min(now+pause, p.deadline()))
}
