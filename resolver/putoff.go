package resolver

// maxPutOff is how much may be received while timeouts are put off, in messages and turns: about what a socket's buffer holds.
const maxPutOff = 8192

// unread reports whether p's reply may be there already, unread: after a pause of the loop, or of the machine, timers are due and replies wait. Then the
// attempt is over only once they have been read.
func (e *Engine) unread(p *pending) bool {
	c := p.conn()
	if (p.sock == nil || !e.loop.Queued(p.sock.token)) && (c == nil || !e.loop.Queued(c.token)) {
		return false
	}
	e.putOff.now = true
	return e.putOff.turns+e.stats.Received-e.putOff.from < maxPutOff
}

// putOff is a number of turns in a row in which timeouts were put off.
type putOff struct {
	now   bool   // in this turn
	turns uint64 // before it
	from  uint64 // Stats.Received when there was none
}

// next ends a turn.
func (o *putOff) next(received uint64) {
	if o.now {
		o.turns++
		o.now = false
	} else {
		o.turns, o.from = 0, received
	}
}
