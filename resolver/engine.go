package resolver

import (
	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// Engine resolves on one goroutine, the caller's: it starts none and takes no lock. The caller brings the time and the loop:
// watch FD for readability, call IOEvent when it is readable and Timeouts when the time it returned has come and after each batch of submissions.
// A caller that has nothing else to wait for calls Run instead, or Turn, with a schedule of its own.
// An Engine that was closed answers every call with ErrClosed or zero.
type Engine struct {
	cfg  Config
	loop *ioevent.Loop
	ids  idSource

	servers map[Server]*server // every server's state
	sweepAt int                // the number of servers at which idle ones are forgotten
	known   []*server          // those of cfg.Servers
	active  []*server          // those with something to send
	dirty   []*tcpConn         // connections with something to write

	start    queue        // submitted, no server chosen yet
	paused   queue        // waiting for something this machine is short of
	finished []completion // to be delivered
	slab     slab         // every pending query
	pasts    *past        // to be used again
	inFlight int

	arena    *backend.Arena
	slots    slots              // to receive into, shared by all sockets
	out      []backend.Datagram // send slots
	sending  []*pending         // whose messages are in out
	reply    Reply              // what Done is shown
	attempts []Attempt          // and its Attempts
	stray    Stray              // what Config.Stray is shown
	queued   uint32             // as in response, of the message that is being accepted
	wall     wallClock
	stats    Stats

	putOff putOff
	until  sleep // of Turn

	inside bool // a Done may be running
	ran    bool // a Done of the user's has, since the clock was read
	closed bool

	shard *shard // whose engine it is, or nil
}

// NewEngine makes an Engine. It opens the poller and nothing else. The error names what is wrong in cfg or missing here.
func NewEngine(cfg Config) (*Engine, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	loop, err := ioevent.NewLoop(ioevent.Config{Mechanism: cfg.Poller, Budget: cfg.Budget})
	if err != nil {
		return nil, err
	}
	n := cfg.Socket.Batch
	e := &Engine{
		cfg: cfg, loop: loop, ids: idSource{from: cfg.Rand},
		servers: make(map[Server]*server), sweepAt: maxServers,
		start: queue{name: inStart}, paused: queue{name: inPaused},
		arena: backend.NewArena(), slots: newSlots(n), out: make([]backend.Datagram, n), sending: make([]*pending, n),
	}
	e.until.init(&cfg)
	for _, s := range cfg.Servers {
		e.known = append(e.known, e.state(s))
	}
	return e, nil
}

// Submit queues q; it does no I/O and calls no Done: the query leaves with the next Timeouts. The error, if any, is
// ErrBusy, ErrClosed, ErrNoServers, or names what is wrong with the question.
func (e *Engine) Submit(q *Query) error {
	switch {
	case e.closed:
		return ErrClosed
	case e.inFlight >= e.cfg.MaxInFlight:
		e.stats.Busy++
		return ErrBusy
	}
	if err := q.check(&e.cfg); err != nil {
		return err
	}
	if q.engine != e { // a Resolver has set it, for others to read
		q.engine = e
	}
	p := e.slab.take()
	p.q = q
	if err := p.prepare(q); err != nil {
		p.q = nil
		e.slab.put(p)
		return err
	}
	q.p = p
	e.inFlight++
	e.stats.Submitted++
	e.start.pushBack(p)
	return nil
}

// Cancel ends q at once: its Done gets ErrCanceled, not inside Cancel but later in the same turn, or in the next Timeouts where none is running.
// It reports false, and does nothing, where q is not outstanding or its Done is already due.
func (e *Engine) Cancel(q *Query) bool {
	p := q.p
	if p == nil || p.done || q.engine != e {
		return false
	}
	e.stats.Canceled++
	e.finish(p, ErrCanceled)
	return true
}

// IOEvent takes what the network has, as far as a turn's budget goes, and calls Done for what was answered. It never sleeps. It returns
// the number of sockets served. It suits a loop that watches FD by level or by edge: what it leaves over makes Timeouts say "at once".
func (e *Engine) IOEvent(now Time) int {
	if e.closed || e.inside {
		return 0
	}
	return e.loop.Poll(now)
}

// Timeouts fires what is due at now, sends what is queued, calls Done for what ended, and returns when to be called again: now where
// there is more to do at once, ioevent.Never where only the network or a Submit can bring something.
func (e *Engine) Timeouts(now Time) (next Time) {
	if e.closed || e.inside {
		return ioevent.Never
	}
	e.loop.Expire(now)
	more := e.turn(now)
	if e.closed {
		return ioevent.Never
	}
	next = e.loop.Expire(now)
	if more || len(e.finished) > 0 {
		return now
	}
	return next
}

// Run turns the engine on the calling goroutine until a Done calls Quit or Close: it sends what is queued, sleeps in the engine's own poller
// while there is nothing to do, takes what came and fires what is due. It returns nil, ErrClosed where the engine was closed before, or the
// error of the poller's wait. Inside a Done it is refused.
func (e *Engine) Run() error {
	switch {
	case e.closed:
		return ErrClosed
	case e.inside:
		return errInsideDone
	}
	return e.loop.Run(func(now Time) bool { return e.turn(e.fresh(now)) })
}

// Quit has Run return after this turn. It is called inside a Done; elsewhere it does nothing.
func (e *Engine) Quit() { e.loop.Quit() }

// fresh is the time for what is to be sent, in a turn that began at now. Where a Done of the user's has run since, that may be long ago, and tries would be over before they began.
func (e *Engine) fresh(now Time) Time {
	ran := e.ran
	e.ran = false
	if !ran || e.start.len == 0 && len(e.active) == 0 {
		return now
	}
	return e.loop.Refresh()
}

// turn sends what is queued and delivers what ended. It reports whether there is more to send at once.
func (e *Engine) turn(now Time) (more bool) {
	e.putOff.next(e.stats.Received)
	e.flush(now)
	e.deliver()
	return !e.closed && e.toSend()
}

// toSend reports whether there is something to send at once.
func (e *Engine) toSend() bool { return e.start.len > 0 || len(e.active) > 0 || len(e.dirty) > 0 }

// FD is the descriptor that is readable when IOEvent has something to do, -1 where the poller has none. It is the engine's: watch it, do not read it.
func (e *Engine) FD() int { return e.loop.FD() }

// Stats returns the counters so far.
func (e *Engine) Stats() Stats {
	s := e.stats
	s.InFlight = e.inFlight
	s.Loop = *e.loop.Counters()
	for _, srv := range e.servers {
		srv.addStats(&s.Socket)
	}
	return s
}

// Close ends every query with ErrClosed, calling Done before it returns, or right after the running Done where it is called inside one.
// Then it closes the sockets and the poller. A second Close returns ErrClosed.
func (e *Engine) Close() error {
	if e.closed {
		return ErrClosed
	}
	for _, p := range e.outstanding() {
		e.finish(p, ErrClosed)
	}
	e.closed = true
	e.deliver()
	return nil
}

// outstanding returns every query that is not finished.
func (e *Engine) outstanding() (all []*pending) {
	all = e.paused.appendAll(e.start.appendAll(nil))
	for _, s := range e.servers {
		all = s.appendPending(all)
	}
	return all
}

// shutdown frees what the engine holds. Every query has ended.
func (e *Engine) shutdown() {
	for _, s := range e.servers {
		s.close()
	}
	e.loop.Close()
}
