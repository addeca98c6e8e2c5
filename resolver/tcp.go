package resolver

import (
	"errors"
	"io"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/wire"
	"github.com/dnsq/dnsq/ioevent"
)

// tcpConn is one connection to a server, shared by queries to it: pipelined, answered in any order (RFC 7766 6.2.1).
type tcpConn struct {
	server  *server
	stream  backend.Stream
	token   ioevent.Token
	table   idTable
	ended   memory // with Config.Stray
	in      wire.Frames
	out     []byte        // frames that the kernel has not taken yet
	idle    ioevent.Timer // closes the connection when nothing waits on it
	taken   int           // queries so far
	replies int           // to them
	moved   Time          // when octets went over it last
	wants   ioevent.Interest
	dirty   bool // is in Engine.dirty
	made    bool // is connected, and has carried something
	retired bool // takes no more queries
	closed  bool
}

// overTCP makes the current attempt one over TCP, which waits where others do.
func (e *Engine) overTCP(p *pending, now Time) {
	e.detach(p)
	s := p.server
	if s.streams.queue.len > 0 {
		s.await(p)
		return
	}
	err := p.join()
	if err == errNoRoom {
		s.await(p)
		return
	}
	e.joined(p, err, now)
}

// joined goes on with an attempt over TCP that has a connection, or why it has none.
func (e *Engine) joined(p *pending, err error, now Time) {
	if err != nil {
		e.unsent(p, err, now)
		return
	}
	e.left(p, TCP, now)
}

// besides asks over TCP too, while the attempt over UDP goes on. That it cannot is no failure.
func (e *Engine) besides(p *pending) {
	if p.server.streams.queue.len == 0 && p.join() == nil {
		e.stats.Sent++
	}
}

// join puts p on a connection to its server.
func (p *pending) join() error {
	s := p.server
	c, err := s.connection()
	if err != nil {
		return err
	}
	id, err := s.e.ids.free(&c.table)
	if err != nil {
		return err
	}
	s.e.loop.Stop(&c.idle)
	h := p.remember()
	h.conn, h.connID = c, id
	c.table.put(id, p)
	c.taken++
	start := len(c.out)
	c.out = wire.AppendFrame(c.out, p.msg)
	wire.SetID(c.out[start+2:], id)
	c.touch()
	return nil
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
			c.made, c.moved = true, now
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
func (c *tcpConn) HandleEvent(ev ioevent.Event) (dry bool) {
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
		space := c.in.Space()
		n, err := c.stream.Read(space)
		c.in.Wrote(n)
		if n > 0 {
			c.moved = now
		}
		c.frames(now)
		if err != nil {
			c.lost(err, now)
		}
		e.deliver()
		if n == 0 || n < len(space) && c.told(ev) {
			return true
		}
	}
	return c.closed
}

// told reports whether a new event comes when there is more to read, or the end, than was read: a short read of a descriptor is the last but where the
// event has told of the end already (epoll(7)).
func (c *tcpConn) told(ev ioevent.Event) bool {
	return c.stream.FD() >= 0 && ev.Ready&(ioevent.End|ioevent.Error) == 0
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
		p.answered, e.queued = true, 0
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
	if c.closed {
		return
	}
	if c.made {
		c.server.e.stats.HungUp++
	}
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
	c.server.vacant()
	if c.table.n > 0 || c.closed {
		return
	}
	if c.retired || c.usedUp() {
		c.close()
		return
	}
	e := c.server.e
	e.loop.Start(&c.idle, e.loop.Now()+Time(e.cfg.IdleTimeout))
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
	s.streams.all = without(s.streams.all, c)
	s.vacant()
	if !c.made && !s.e.closed {
		s.e.stats.DialsFailed++
	}
	s.e.loop.Stop(&c.idle)
	s.e.loop.Unregister(c.token)
	c.stream.Close()
}
