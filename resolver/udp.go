package resolver

import (
	"bytes"
	"errors"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/wire"
	"github.com/dnsq/dnsq/ioevent"
)

// udpSocket is one socket connected to one server, with the queries that wait on it.
type udpSocket struct {
	server  *server
	sock    backend.Socket
	token   ioevent.Token
	table   idTable
	ended   memory // with Config.Stray
	born    Time
	used    int  // queries sent from it
	retired bool // close it once nothing waits on it
	closed  bool
}

// open opens a socket to s on a random port, for a single query or for many.
func (s *server) open(single bool, now Time) (*udpSocket, error) {
	e := s.e
	u := &udpSocket{server: s, born: now, table: idTable{slab: &s.e.slab}}
	u.token = e.loop.Register(u)
	c := s.reach()
	c.Arena = e.arena
	if single {
		c.RecvBuffer, c.SendBuffer = 0, 0
	}
	token := u.token
	c.Notify = func() { e.loop.Notify(token) }
	var err error
	if u.sock, err = e.cfg.Backend.Open(c); err != nil {
		e.loop.Unregister(u.token)
		return nil, err
	}
	if err := u.watch(ioevent.Read); err != nil {
		u.close()
		return nil, err
	}
	e.stats.Sockets++
	return u, nil
}

// watch asks for events. Sockets without a descriptor tell by themselves.
func (u *udpSocket) watch(in ioevent.Interest) error {
	if u.sock.FD() < 0 {
		return nil
	}
	return u.server.e.loop.Watch(u.token, u.sock.FD(), in)
}

// HandleEvent receives one batch, matches all of it, then delivers.
func (u *udpSocket) HandleEvent(ioevent.Event) (dry bool) {
	s := u.server
	e := s.e
	if s.blocked == u {
		s.unblock()
	}
	batch := e.slots.offer(e.loop.Share())
	n, dry, err := u.sock.Recv(batch)
	e.slots.took(n)
	e.loop.Spent(n)
	now := e.loop.Now()
	if err != nil {
		u.broken(err, now)
		n, dry = 0, true
	}
	for i := range batch[:n] {
		if d := &batch[i]; d.Err != nil {
			u.undelivered(d, now)
		} else {
			u.receive(d, now)
		}
	}
	e.deliver()
	return dry || u.closed
}

// receive finds the query that d answers. What answers none is counted and changes nothing.
func (u *udpSocket) receive(d *backend.Datagram, now Time) {
	e := u.server.e
	e.stats.Received++
	id, ok := wire.ID(d.Data)
	if !ok {
		e.stats.Short++
		e.tell(Stray{Kind: Unsolicited}, d.Data, u.server, UDP)
		return
	}
	p := u.table.get(id)
	if p == nil {
		e.stats.UnknownID++
		u.astray(id, d.Data, nil, now)
		return
	}
	var info wire.Info
	switch p.match(d.Data, UDP, d.Truncated, &info) {
	case accepted:
		p.answered, e.queued = true, e.waited(d, now)
		e.accept(p, d.Data, &info, UDP, now)
	case truncated:
		p.answered = true
		e.stats.Truncated++
		p.record(attempt{server: p.server, transport: UDP, rtt: now - p.sent, rcode: int16(info.Rcode), size: size(d.Data), truncated: true})
		e.overTCP(p, now)
	case malformed:
		e.stats.Malformed++
		e.tell(Stray{Kind: Malformed, RTT: now - p.sent}, d.Data, u.server, UDP)
	case forged:
		e.stats.Mismatched++
		u.astray(id, d.Data, p, now)
	}
}

// astray deals with a message that answers nothing, though p waits for its ID, or nobody where p is nil. Unless it is known to be the reply to an earlier
// query it looks guessed.
func (u *udpSocket) astray(id uint16, msg []byte, p *pending, now Time) {
	e, kind := u.server.e, Unsolicited
	if p != nil {
		kind = Mismatched
	}
	s := e.recall(&u.ended, id, msg, kind, now)
	switch {
	case s.Kind != kind:
	case p != nil:
		e.nearMiss(p, now)
	default:
		u.suspect(msg, now)
	}
	e.tell(s, msg, u.server, UDP)
}

// suspect books a message with a wrong ID to the query whose question it repeats, where so few wait that looking is cheap.
func (u *udpSocket) suspect(msg []byte, now Time) {
	if u.table.n > 8 {
		return
	}
	for p := range u.table.each {
		if wire.SameQuestion(msg, p.msg) {
			u.server.e.nearMiss(p, now)
			return
		}
	}
}

// undelivered ends the attempt that an ICMP error speaks of, or all on the socket where it does not say which.
func (u *udpSocket) undelivered(d *backend.Datagram, now Time) {
	e := u.server.e
	e.stats.NetworkErrors++
	if len(d.Data) < 2 {
		for _, p := range u.table.appendAll(nil) {
			e.fail(p, d.Err, now)
		}
		return
	}
	h, _ := wire.PeekHeader(d.Data)
	p := u.table.get(h.ID)
	if p == nil || !bytes.HasPrefix(p.msg, d.Data[:min(len(d.Data), len(p.msg))]) {
		return
	}
	if len(d.Data) > len(p.msg) {
		u.trainLost(p, d.Err, now)
		return
	}
	e.lost(p, d.Err, now)
}

// trainLost ends the attempts of those that left in one train with p: the report has octets of more than p, and none of those behind them.
func (u *udpSocket) trainLost(p *pending, err error, now Time) {
	sent, length := p.sent, len(p.msg)
	for _, p := range u.table.appendAll(nil) {
		if p.sent == sent && len(p.msg) <= length {
			u.server.e.lost(p, err, now)
		}
	}
}

// lost ends an attempt that did not get there, in the way that err says is right.
func (e *Engine) lost(p *pending, err error, now Time) {
	if errors.Is(err, backend.ErrTooBig) && !p.once() {
		e.overTCP(p, now)
		return
	}
	e.fail(p, err, now)
}

// broken ends every attempt on a socket that will not recover.
func (u *udpSocket) broken(err error, now Time) {
	for _, p := range u.table.appendAll(nil) {
		u.server.e.fail(p, err, now)
	}
	u.close()
}

// leaveSocket takes p off its UDP socket.
func (p *pending) leaveSocket() {
	u := p.sock
	if u == nil {
		return
	}
	p.sock = nil
	u.table.remove(p.id)
	s := u.server
	if s.e.cfg.Stray != nil {
		u.ended.note(p.id, p)
	}
	s.udp--
	if s.queue.len > 0 && s.blocked == nil {
		s.wake() // there is room for one more
	}
	u.closeIfDone()
}

func (u *udpSocket) closeIfDone() {
	if u.retired && u.table.n == 0 {
		u.close()
	}
}

// close closes the socket and takes it out of its server's books.
func (u *udpSocket) close() {
	if u.closed {
		return
	}
	u.closed = true
	s := u.server
	addStats(&s.past, u.sock.Stats())
	s.past.RecvBuffer, s.past.SendBuffer = 0, 0
	s.e.loop.Unregister(u.token)
	u.sock.Close()
	delete(s.fresh, u)
	for i := range s.pool {
		if s.pool[i] == u {
			s.pool[i] = nil
		}
	}
	if s.blocked == u {
		s.unblock()
	}
}

// size is the length of a message, which fits 16 bits.
func size(msg []byte) uint16 { return uint16(min(len(msg), 65535)) }
