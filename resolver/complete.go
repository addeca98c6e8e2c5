package resolver

// response is an accepted message and how it came.
type response struct {
	attempt
	msg      []byte
	trailing uint16 // octets of msg behind its last record
	listed   bool   // the attempt is among those of past
	queued   uint32 // as Reply.Queued, in units of 1,024 ns, which keeps a completion short
}

// take makes msg the response, which came as a.
func (r *response) take(a attempt, msg []byte, trailing uint16) {
	r.attempt, r.msg, r.trailing = a, msg, trailing
}

// completion is a query that has ended and whose Done is due.
type completion struct {
	p        *pending
	response // where its err, the reason, is nil
}

// detach takes p off the wire and out of every queue, and stops its timer.
func (e *Engine) detach(p *pending) {
	if l := e.queueOf(p); l != nil {
		l.remove(p)
	}
	p.leaveSocket()
	p.leaveConn()
	p.answered = false
	e.loop.Stop(&p.timer)
}

// finish ends p, frees what it held at once, and queues its Done. Where err is nil the caller fills in the response.
func (e *Engine) finish(p *pending, err error) *response {
	e.detach(p)
	p.assign(nil, 0)
	p.done = true
	e.finished = append(e.finished, completion{p: p})
	r := &e.finished[len(e.finished)-1].response
	r.err, r.queued = err, e.queued
	return r
}

// deliver calls the Done of every query that has ended, those that end meanwhile included, under no lock and with the engine in order:
// submit, cancel and close are legal inside.
func (e *Engine) deliver() {
	if e.inside {
		return
	}
	e.inside = true
	for i := 0; i < len(e.finished); i++ {
		e.complete(&e.finished[i])
	}
	clear(e.finished)
	e.finished = e.finished[:0]
	e.inside = false
	if e.shard != nil {
		e.shard.left()
	}
	if e.closed {
		e.shutdown()
	}
}

// complete calls the Done of one. What that finishes may move the list, but c stays what it is.
func (e *Engine) complete(c *completion) {
	p := c.p
	q := p.q
	e.list(p, &c.response)
	var r *Reply
	err := c.err
	if err == nil {
		r = &e.reply
		r.set(&c.response)
		r.Attempts = e.attempts
	} else {
		err = e.failure(q, err)
	}
	q.p, p.q = nil, nil
	e.forget(p)
	e.slab.put(p)
	e.inFlight--
	e.stats.Completed++
	if e.shard == nil || e.shard.completes(q) {
		e.ran = true
	}
	e.call(q, r, err)
}

// set describes r in place: a Reply is large, and a query has one.
func (reply *Reply) set(r *response) {
	reply.Msg, reply.Rcode, reply.Truncated, reply.Trailing = r.msg, uint16(r.rcode), r.truncated, int(r.trailing)
	reply.Server, reply.Transport, reply.RTT, reply.Queued = r.server.addr, r.transport, r.rtt, Time(r.queued)<<traceUnit
}

// call runs Done; a panic in it harms no other query.
func (e *Engine) call(q *Query, r *Reply, err error) {
	defer func() {
		if v := recover(); v != nil {
			e.stats.Panics++
			if e.cfg.Panic != nil {
				e.cfg.Panic(q, v)
			}
		}
	}()
	q.Done(q, r, err)
}

// failure describes why q failed, after the attempts listed. It allocates: failures are rare.
func (e *Engine) failure(q *Query, why error) error {
	err := &Error{Op: "exchange", Name: q.Name, Type: q.Type, Err: why}
	err.Attempts = append(err.Attempts, e.attempts...)
	if n := len(err.Attempts); n > 0 {
		err.Server = err.Attempts[n-1].Server.String()
	}
	return err
}

// list shows the attempts of p, which has ended with r, to the caller, in memory that is used again for the next query.
func (e *Engine) list(p *pending, r *response) {
	e.attempts = e.attempts[:0]
	if p.past != nil {
		for i := range p.past.attempts {
			e.export(&p.past.attempts[i])
		}
	}
	if r.err == nil && !r.listed {
		e.export(&r.attempt)
	}
}

func (e *Engine) export(a *attempt) {
	e.attempts = append(e.attempts, Attempt{
		Server: a.server.addr, Transport: a.transport, RTT: a.rtt,
		Rcode: int(a.rcode), Truncated: a.truncated, Size: int(a.size), Err: a.err,
	})
}
