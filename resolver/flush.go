package resolver

import (
	"errors"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/wire"
	"github.com/dnsq/dnsq/ioevent"
)

// errNoIDs means that every socket to a server has as many queries outstanding as it may.
var errNoIDs = errors.New("all message IDs to the server are in use")

// One flush sends to each server so many batches at most, and no further one once so many messages have left, so that a long queue does not keep the
// loop from receiving.
const (
	flushRounds = 16
	flushMost   = 1024
)

// flush starts what was submitted and sends what is queued: one batch to each server in turn, so that none waits behind another's queue.
func (e *Engine) flush(now Time) {
	for p := e.start.popFront(); p != nil; p = e.start.popFront() {
		e.begin(p, now)
	}
	sent := e.stats.Sent
	for round := 0; round < flushRounds && len(e.active) > 0 && e.stats.Sent-sent < flushMost; round++ {
		e.flushActive(now)
	}
	for i := 0; i < len(e.dirty); i++ {
		e.dirty[i].dirty = false
		e.dirty[i].write(now)
	}
	clear(e.dirty)
	e.dirty = e.dirty[:0]
}

// flushActive sends one batch to each server that has something to send and keeps those that have more.
func (e *Engine) flushActive(now Time) {
	n := len(e.active)
	for i := range n {
		s := e.active[i]
		s.active = false
		if s.flush(now) {
			s.wake()
		}
	}
	kept := copy(e.active, e.active[n:])
	clear(e.active[kept:])
	e.active = e.active[:kept]
}

// flush sends what waited for room on a connection, and one batch of datagrams, and reports whether more of these can be sent at once.
func (s *server) flush(now Time) (more bool) {
	e := s.e
	if s.streams.queue.len > 0 {
		s.admit(now)
	}
	want := min(s.queue.len, len(e.out), e.cfg.MaxPerServer-s.udp)
	if want <= 0 || s.blocked != nil {
		return false // a reply or a write event wakes s
	}
	if want = min(want, s.rate.allowed(now)); want <= 0 {
		e.loop.Start(&s.timer, s.rate.when())
		return false
	}
	u, room, err := s.pick(now)
	if err != nil {
		e.unsent(s.queue.popFront(), err, now)
		return s.queue.len > 0
	}
	n := e.load(u, min(want, room))
	e.couple(n)
	u.send(n, now)
	if s.blocked != u {
		u.closeIfDone()
	}
	return s.queue.len > 0
}

// load moves up to n queries from the queue to u and into the send slots, each under a fresh ID.
func (e *Engine) load(u *udpSocket, n int) (loaded int) {
	for range n {
		p := u.server.queue.popFront()
		id, err := e.ids.free(&u.table)
		if err != nil {
			e.finish(p, err)
			continue
		}
		p.sock, p.id = u, id
		u.table.put(id, p)
		u.server.udp++
		wire.SetID(p.msg, id)
		e.out[loaded].Data, e.sending[loaded] = p.msg, p
		loaded++
	}
	return loaded
}

// couple brings messages of one length together in the first n send slots: a backend may send neighbours of one length as a train, and UDP
// needs no order. It looks once at each slot for each length that there is.
func (e *Engine) couple(n int) {
	for i := 0; i < n; {
		length := len(e.out[i].Data)
		for k := i; k < n; k++ {
			if len(e.out[k].Data) != length {
				continue
			}
			if i != k {
				e.out[i].Data, e.out[k].Data = e.out[k].Data, e.out[i].Data
				e.sending[i], e.sending[k] = e.sending[k], e.sending[i]
			}
			i++
		}
	}
}

// send hands the first n send slots to the kernel. Each ends as sent, as back in the queue, or as failed.
func (u *udpSocket) send(n int, now Time) {
	e := u.server.e
	for i := 0; i < n; {
		k, err := u.sock.Send(e.out[i:n])
		for _, p := range e.sending[i : i+k] {
			e.left(p, UDP, now)
		}
		u.used += k
		u.server.rate.spend(k)
		i += k
		switch {
		case err != nil:
			e.refused(e.sending[i], err, now)
			i++
		case i < n:
			u.full(e.sending[i:n])
			i = n
		}
	}
	clear(e.sending[:n])
}

// refused handles an error that belongs to one send.
func (e *Engine) refused(p *pending, err error, now Time) {
	switch {
	case errors.Is(err, backend.ErrTooBig) && !p.once():
		e.overTCP(p, now)
	case scarce(err):
		e.unsent(p, err, now)
	default:
		e.fail(p, err, now)
	}
}

// full puts what the kernel's queue had no room for back to the front, in order, until u is writable.
func (u *udpSocket) full(rest []*pending) {
	s := u.server
	for i := len(rest) - 1; i >= 0; i-- {
		p := rest[i]
		u.table.remove(p.id)
		p.sock = nil
		s.udp--
		s.queue.pushFront(p)
	}
	s.e.stats.QueueFull++
	s.blocked = u
	u.watch(ioevent.Read | ioevent.Write)
}

// unblock lets s send again.
func (s *server) unblock() {
	u := s.blocked
	s.blocked = nil
	if !u.closed {
		u.watch(ioevent.Read)
		u.closeIfDone()
	}
	s.wake()
}
