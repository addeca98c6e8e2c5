package resolver

// completion is a query that has ended and whose Done is due.
type completion struct {
	p     *pending
	reply Reply
	err   error // the reason; nil: reply holds
}

// take returns a clean pending.
func (e *Engine) take() *pending {
	n := len(e.free)
	if n == 0 {
		p := &pending{e: e}
		p.timer.Init(p)
		return p
	}
	p := e.free[n-1]
	e.free = e.free[:n-1]
	p.reset()
	return p
}

// detach takes p off the wire and out of every queue, and stops its timer.
func (e *Engine) detach(p *pending) {
	if p.queue != nil {
		p.queue.remove(p)
	}
	p.leaveSocket()
	p.leaveConn()
	e.loop.Stop(&p.timer)
}

// finish ends p, frees what it held at once, and queues its Done. Where err is nil the caller fills in the reply.
func (e *Engine) finish(p *pending, err error) *Reply {
	e.detach(p)
	p.assign(nil, 0)
	p.done = true
	e.finished = append(e.finished, completion{p: p, err: err})
	return &e.finished[len(e.finished)-1].reply
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
	q := c.p.q
	var r *Reply
	err := c.err
	if err == nil {
		r = &c.reply
		r.Attempts = e.export(c.p.attempts)
	} else {
		err = e.failure(c.p, err)
	}
	q.p, c.p.q = nil, nil
	e.free = append(e.free, c.p)
	e.inFlight--
	e.stats.Completed++
	if e.shard != nil {
		e.shard.completes(q)
	}
	e.call(q, r, err)
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

// failure describes why p failed. It allocates: failures are rare.
func (e *Engine) failure(p *pending, why error) error {
	err := &Error{Op: "exchange", Name: p.q.Name, Type: p.q.Type, Err: why}
	err.Attempts = append(err.Attempts, e.export(p.attempts)...)
	if n := len(err.Attempts); n > 0 {
		err.Server = err.Attempts[n-1].Server.String()
	}
	return err
}

// export shows attempts to the caller in memory that is used again for the next query.
func (e *Engine) export(list []attempt) []Attempt {
	e.attempts = e.attempts[:0]
	for _, a := range list {
		e.attempts = append(e.attempts, Attempt{
			Server: a.server.addr, Transport: a.transport, RTT: a.rtt,
			Rcode: int(a.rcode), Truncated: a.truncated, Size: int(a.size), Err: a.err,
		})
	}
	return e.attempts
}
