package resolver

import (
	"errors"
	"math"
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/wire"
	"github.com/dnsq/dnsq/ioevent"
)

// excluded marks a server that has answered, with a failure: it is not asked again for the same query.
const excluded = math.MaxInt32

// begin starts a submitted query.
func (e *Engine) begin(p *pending, now Time) {
	if p.deadline == 0 {
		p.deadline = ioevent.Never
	} else if p.deadline <= now {
		e.finish(p, ErrTimeout)
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
	p.assign(e.serverOf(p, i), i)
	// A server that is silent may drop what has an OPT record: the last try goes without.
	last := p.tries[i] > 0 && int(p.tries[i]) == e.cfg.Tries-1
	p.tries[i]++
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
	if p.deadline != ioevent.Never {
		e.loop.Start(&p.timer, p.deadline)
	}
}

// choose returns the server to ask next: the one asked least, then one that did not fail lately, then the first in order; -1 where all have had their tries.
func (e *Engine) choose(p *pending, now Time) int {
	best, bestDown := -1, false
	for i, n := range p.tries {
		if int(n) >= e.cfg.Tries {
			continue
		}
		down := e.serverOf(p, i).downUntil > now
		if best < 0 || n < p.tries[best] || n == p.tries[best] && bestDown && !down {
			best, bestDown = i, down
		}
	}
	return best
}

func (e *Engine) serverOf(p *pending, i int) *server {
	if p.q.Servers != nil {
		return e.state(p.q.Servers[i].Addr)
	}
	return e.list[i]
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
	p.deadline = at
	if p.queue != &e.start && (!p.timer.Active() || p.timer.At() > at) {
		e.loop.Start(&p.timer, at)
	}
}

// left notes that p's message is on its way and starts the clock of the attempt: one try's length, or less where the deadline must leave
// room for the servers that were not asked yet.
func (e *Engine) left(p *pending, via Transport, now Time) {
	e.stats.Sent++
	p.sent, p.pauses = now, 0
	length := Time(e.cfg.Timeout)
	if p.deadline != ioevent.Never {
		length = max(1, min(length, (p.deadline-now)/Time(p.unasked()+1)))
	}
	p.giveUp = now + length
	e.loop.Start(&p.timer, p.giveUp)
}

// unasked counts the servers that have not been asked yet.
func (p *pending) unasked() (n int) {
	for _, t := range p.tries {
		if t == 0 {
			n++
		}
	}
	return n
}

// expire runs when p's timer fires: at the end of the query, of a pause or of an attempt.
func (e *Engine) expire(p *pending, now Time) {
	waiting := p.sock != nil || p.conn != nil
	switch {
	case now >= p.deadline:
		if waiting {
			e.stats.Timeouts++
			p.record(attempt{server: p.server, transport: p.via(), rtt: now - p.sent, rcode: -1, err: ErrTimeout})
		}
		e.end(p, ErrTimeout)
	case waiting:
		e.stats.Timeouts++
		if p.conn != nil {
			p.conn.retire() // it may hang: the next query dials anew
		}
		e.fail(p, ErrTimeout, now)
	default: // a pause is over
		e.detach(p)
		e.queueUp(p, now)
	}
}

// via is the transport of the current attempt.
func (p *pending) via() Transport {
	if p.conn != nil && p.sock == nil {
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
	e.detach(p)
	e.again(p, now)
}

// accept takes a reply that matches p: it ends the query, or it is a failure of the server, which another may make good.
func (e *Engine) accept(p *pending, msg []byte, info *wire.Info, via Transport, now Time) {
	p.server.up()
	p.record(attempt{
		server: p.server, transport: via, rtt: now - p.sent, rcode: int16(info.Rcode), size: size(msg), truncated: info.Truncated(),
	})
	switch {
	case ednsTrouble(info.Rcode) && !p.plain && !p.explicit:
		e.detach(p)
		e.ask(p, true, now)
	case failed(info.Rcode) || p.lame(info):
		p.saved = append(p.saved[:0], msg...) // the answer where nobody has a better one
		p.best.set(p.saved, info, p.server.addr, via, now-p.sent)
		p.tries[p.index] = excluded
		e.detach(p)
		e.again(p, now)
	default:
		server, rtt := p.server.addr, now-p.sent
		e.finish(p, nil).set(msg, info, server, via, rtt)
	}
}

// set describes the reply msg in place: a Reply is large, and a query has one.
func (r *Reply) set(msg []byte, info *wire.Info, server netip.AddrPort, via Transport, rtt Time) {
	r.Msg, r.Rcode, r.Truncated, r.Trailing = msg, info.Rcode, info.Truncated(), len(msg)-info.End
	r.Server, r.Transport, r.RTT = server, via, rtt
}

// exhausted ends a query that has no try left.
func (e *Engine) exhausted(p *pending) {
	why := ErrNoServers
	if n := len(p.attempts); n > 0 {
		why = p.attempts[n-1].err
	}
	e.end(p, why)
}

// end ends p with the failure reply that it has, or with why.
func (e *Engine) end(p *pending, why error) {
	if len(p.saved) > 0 {
		best := p.best
		*e.finish(p, nil) = best
		return
	}
	e.finish(p, why)
}

// nearMiss counts a reply to p that looks guessed. Enough of them, and the question is asked over TCP, which cannot be guessed at, while
// the wait over UDP goes on.
func (e *Engine) nearMiss(p *pending, now Time) {
	p.misses++
	if p.misses == e.cfg.NearMisses && p.conn == nil {
		e.stats.Suspicions++
		e.besides(p, now)
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
	if !scarce(why) {
		e.fail(p, why, now)
		return
	}
	e.stats.Unsent++
	pause := Time(time.Millisecond) << p.pauses
	if p.pauses == 0 {
		p.giveUp = now + Time(e.cfg.Timeout)
	}
	if now+pause > p.giveUp {
		p.pauses = 0
		e.fail(p, why, now)
		return
	}
	p.pauses = min(p.pauses+1, maxPauses)
	e.detach(p)
	e.paused.pushBack(p)
	e.loop.Start(&p.timer, min(now+pause, p.deadline))
}
