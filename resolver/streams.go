package resolver

import (
	"errors"
	"slices"
)

// errNoRoom means that no connection to the server may take another query now.
var errNoRoom = errors.New("every connection to the server has as many queries as it may")

// streams are the TCP connections to one server, and what waits for them.
type streams struct {
	queue queue      // queries for which there is no room
	lanes []*tcpConn // at most TCPPolicy.Conns, used in turn
	turn  int        // the lane whose turn it is
	run   int        // queries that it has taken in a row
	all   []*tcpConn // every open one: those that are to be closed once nothing waits on them, too
}

// room reports whether c may take another query.
func (c *tcpConn) room() bool {
	p := &c.server.e.cfg.TCP
	return c.table.n < p.Outstanding && !c.usedUp()
}

// usedUp reports whether c had as many queries as one may.
func (c *tcpConn) usedUp() bool {
	most := c.server.e.cfg.TCP.Queries
	return most > 0 && c.taken >= most
}

// connection returns the connection whose turn it is, which is made where there are fewer than there should be. Some that leave together
// may share one, so that they are one write.
func (s *server) connection() (*tcpConn, error) {
	l, p := &s.streams, &s.e.cfg.TCP
	if len(l.lanes) < p.Conns {
		return s.dial()
	}
	if l.turn < len(l.lanes) && l.run < p.Together && l.lanes[l.turn].dirty && l.lanes[l.turn].room() {
		l.run++
		return l.lanes[l.turn], nil
	}
	for range l.lanes {
		if l.turn++; l.turn >= len(l.lanes) {
			l.turn = 0
		}
		if l.lanes[l.turn].room() {
			l.run = 1
			return l.lanes[l.turn], nil
		}
	}
	return nil, errNoRoom
}

// dial begins another connection to s.
func (s *server) dial() (*tcpConn, error) {
	e := s.e
	e.stats.Dials++
	c := &tcpConn{server: s, table: idTable{slab: &e.slab}}
	c.idle.Init(c)
	c.token = e.loop.Register(c)
	cfg := s.reach()
	cfg.RecvBuffer, cfg.SendBuffer = 0, 0
	token := c.token
	cfg.Notify = func() { e.loop.Notify(token) }
	var err error
	if c.stream, err = e.cfg.Backend.Dial(cfg); err != nil {
		e.stats.DialsFailed++
		e.loop.Unregister(c.token)
		return nil, err
	}
	s.streams.lanes = append(s.streams.lanes, c)
	s.streams.all = append(s.streams.all, c)
	return c, nil
}

// await has p wait until a connection to s has room.
func (s *server) await(p *pending) {
	s.streams.queue.pushBack(p)
	if p.q.Deadline != 0 {
		s.e.loop.Start(&p.timer, p.q.Deadline)
	}
}

// vacant has the next flush see whether those that wait for s fit by now.
func (s *server) vacant() {
	if s.streams.queue.len > 0 {
		s.wake()
	}
}

// admit sends as many of those that wait as there is room for.
func (s *server) admit(now Time) {
	for range s.streams.queue.len {
		p := s.streams.queue.popFront()
		err := p.join()
		if err == errNoRoom {
			s.streams.queue.pushFront(p)
			return
		}
		s.e.joined(p, err, now)
	}
}

// retire keeps new queries away and makes room for another connection; c is closed when nothing waits on it.
func (c *tcpConn) retire() {
	l := &c.server.streams
	l.lanes = without(l.lanes, c)
	c.retired = true
}

// without returns list without c.
func without(list []*tcpConn, c *tcpConn) []*tcpConn {
	return slices.DeleteFunc(list, func(o *tcpConn) bool { return o == c })
}
