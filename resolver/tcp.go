package resolver

import (
	"errors"
	"io"
	"slices"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/wire"
	"github.com/dnsq/dnsq/ioevent"
)

// tcpConn is one connection to a server, shared by all queries to it: pipelined, answered in any order (RFC 7766 6.2.1).
type tcpConn struct {
	server  *server
	stream  backend.Stream
	token   ioevent.Token
	table   idTable
	ended   memory // with Config.Stray
	in      wire.Frames
	out     []byte        // frames that the kernel has not taken yet
	idle    ioevent.Timer // closes the connection when nothing waits on it
	replies int           // taken so far
	moved   Time          // when octets went over it last
	wants   ioevent.Interest
	dirty   bool // is in Engine.dirty
	closed  bool
}

// overTCP makes the current attempt one over TCP.
func (e *Engine) overTCP(p *pending, now Time) {
	e.detach(p)
	if err := p.join(now); err != nil {
		e.unsent(p, err, now)
		return
	}
	e.left(p, TCP, now)
}

// besides asks over TCP too, while the attempt over UDP goes on. That it cannot is no failure.
func (e *Engine) besides(p *pending, now Time) {
	if p.join(now) == nil {
		e.stats.Sent++
	}
}

// join puts p on the connection to its server, which is made where there is none.
func (p *pending) join(now Time) error {
	s := p.server
	c, err := s.connection(now)
	if err != nil {
		return err
	}
	if c.table.n >= maxIDs {
		return errNoIDs
	}
	id, err := s.e.ids.free(&c.table)
	if err != nil {
		return err
	}
	s.e.loop.Stop(&c.idle)
	h := p.remember()
	h.conn, h.connID = c, id
	c.table.put(id, p)
	start := len(c.out)
	c.out = wire.AppendFrame(c.out, p.msg)
	wire.SetID(c.out[start+2:], id)
	c.touch()
	return nil
}

// connection returns the open connection to s, or starts one.
func (s *server) connection(Time) (*tcpConn, error) {
	if s.conn != nil {
		return s.conn, nil
	}
	e := s.e
	c := &tcpConn{server: s, table: idTable{slab: &e.slab}}
	c.idle.Init(c)
	c.token = e.loop.Register(c)
	cfg := s.reach()
	cfg.RecvBuffer, cfg.SendBuffer = 0, 0
	token := c.token
	cfg.Notify = func() { e.loop.Notify(token) }
	var err error
	if c.stream, err = e.cfg.Backend.Dial(cfg); err != nil {
		e.loop.Unregister(c.token)
		return nil, err
	}
	s.conn = c
	s.conns = append(s.conns, c)
	e.stats.Dials++
	return c, nil
}

// touch has the next flush write what is queued: one write for all the frames of a turn, and none split (RFC 7766 8).
func (c *tcpConn) touch() {
	if !c.dirty {
		c.dirty = true
		c.server.e.dirty = append(c.server.e.dirty, c)
	}
}

// write gives the kernel what it takes and asks to be told when it takes more.
func (c *tcpConn) write(now Time) {
	if c.closed {
		return
	}
	if len(c.out) > 0 {
		n, err := c.stream.Write(c.out)
		if err != nil {
			c.lost(err, now)
			return
		}
		c.out = append(c.out[:0], c.out[n:]...)
		if n > 0 {
			c.moved = now
		}
	}
	want := ioevent.Read
	if len(c.out) > 0 {
		want |= ioevent.Write
	}
	if fd := c.stream.FD(); fd >= 0 && want != c.wants {
		c.wants = want
		if err := c.server.e.loop.Watch(c.token, fd, want); err != nil {
			c.lost(err, now)
		}
	}
}

// maxReads bounds the reads of one turn.
const maxReads = 16

// HandleEvent writes what waits to be written and reads whole frames.
func (c *tcpConn) HandleEvent(ioevent.Event) (dry bool) {
	e := c.server.e
	now := e.loop.Now()
	if len(c.out) > 0 {
		c.write(now)
	}
	for range maxReads {
		if c.closed {
			e.deliver()
			return true
		}
		n, err := c.stream.Read(c.in.Space())
		c.in.Wrote(n)
		if n > 0 {
			c.moved = now
		}
		c.frames(now)
		if err != nil {
			c.lost(err, now)
		}
		e.deliver()
		if n == 0 {
			return true
		}
	}
	return c.closed
}

// frames takes the whole messages that have arrived.
func (c *tcpConn) frames(now Time) {
	for !c.closed {
		msg, ok := c.in.Next()
		if !ok {
			return
		}
		c.server.e.loop.Spent(1)
		c.receive(msg, now)
	}
}

func (c *tcpConn) receive(msg []byte, now Time) {
	e := c.server.e
	e.stats.Received++
	id, ok := wire.ID(msg)
	if !ok {
		e.stats.Short++
		e.tell(Stray{Kind: Unsolicited}, msg, c.server, TCP)
		return
	}
	p := c.table.get(id)
	if p == nil {
		e.stats.UnknownID++
		e.tell(e.recall(&c.ended, id, msg, Unsolicited, now), msg, c.server, TCP)
		return
	}
	var info wire.Info
	switch p.match(msg, TCP, false, &info) {
	case accepted:
		c.replies++
		p.answered = true
		e.accept(p, msg, &info, TCP, now)
	case malformed: // what follows cannot be trusted either
		e.stats.Malformed++
		s := Stray{Kind: Malformed, RTT: now - p.sent}
		c.leave(p, ErrMalformed, now)
		c.drop(ErrMalformed, true, now)
		e.tell(s, msg, c.server, TCP)
	default:
		e.stats.Mismatched++
		e.tell(e.recall(&c.ended, id, msg, Mismatched, now), msg, c.server, TCP)
	}
}

// lost closes a connection that failed.
func (c *tcpConn) lost(err error, now Time) {
	if errors.Is(err, io.EOF) {
		err = ErrHungUp
	}
	c.drop(err, c.replies > 0, now)
}

// drop closes the connection and deals with the queries on it. On a connection that worked they are asked once more on a new one: a server
// may close when it likes (RFC 7766 6.2.3).
func (c *tcpConn) drop(why error, again bool, now Time) {
	if c.closed {
		return
	}
	waiting := c.table.appendAll(nil)
	c.close()
	for _, p := range waiting {
		if again && p.sock == nil && p.past.conn == c && !p.past.redialed && !p.once() {
			p.past.redialed = true
			c.server.e.overTCP(p, now)
			continue
		}
		c.leave(p, why, now)
	}
}

// leave ends the attempt of p, unless it waits over UDP too.
func (c *tcpConn) leave(p *pending, why error, now Time) {
	if p.sock != nil {
		p.leaveConn()
		return
	}
	c.server.e.fail(p, why, now)
}

// leaveConn takes p off its connection.
func (p *pending) leaveConn() {
	c := p.conn()
	if c == nil {
		return
	}
	p.past.conn = nil
	c.table.remove(p.past.connID)
	if c.server.e.cfg.Stray != nil {
		c.ended.note(p.past.connID, p)
	}
	if c.table.n > 0 || c.closed {
		return
	}
	if c.server.conn != c {
		c.close()
		return
	}
	e := c.server.e
	e.loop.Start(&c.idle, e.loop.Now()+Time(e.cfg.IdleTimeout))
}

// retire keeps new queries away; the connection is closed when nothing waits on it.
func (c *tcpConn) retire() {
	if c.server.conn == c {
		c.server.conn = nil
	}
}

// Expire closes an idle connection.
func (c *tcpConn) Expire(Time) { c.close() }

func (c *tcpConn) close() {
	if c.closed {
		return
	}
	c.closed = true
	c.retire()
	s := c.server
	s.conns = slices.DeleteFunc(s.conns, func(o *tcpConn) bool { return o == c })
	s.e.loop.Stop(&c.idle)
	s.e.loop.Unregister(c.token)
	c.stream.Close()
}
