package responder

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// A conn is a TCP connection. Its goroutine reads and answers; what is late is written by a timer of its own.
type conn struct {
	tcp      *tcpServer
	server   *Server
	net      net.Conn
	r        *bufio.Reader
	answerer answerer
	in, out  []byte
	left     int // answers until it is closed; less than 0: any number

	mu     sync.Mutex // all below
	w      *bufio.Writer
	tally  tally
	queued uint64 // answers in w
	held   heap
	timer  *time.Timer
	empty  sync.Cond // held
}

func newConn(t *tcpServer, nc net.Conn) *conn {
	c := &conn{tcp: t, server: t.server, net: nc, r: bufio.NewReader(nc), w: bufio.NewWriter(nc), answerer: t.server.answerer(), left: -1}
	c.empty.L = &c.mu
	if n := t.server.cfg.CloseAfter; n > 0 {
		c.left = n
	}
	return c
}

// serve answers the queries of a connection, in their order unless some are late. Replies leave together when no more queries are at hand.
func (c *conn) serve() {
	defer c.finish()
	for c.left != 0 && c.read() {
		reply, due := c.answer()
		if !c.write(reply, due) {
			return
		}
	}
}

// read reads a frame.
func (c *conn) read() bool {
	c.net.SetReadDeadline(time.Now().Add(idleTimeout)) // fails only on a closed connection
	var prefix [2]byte
	if _, err := io.ReadFull(c.r, prefix[:]); err != nil {
		return false
	}
	n := int(binary.BigEndian.Uint16(prefix[:]))
	c.in = append(c.in[:0], make([]byte, n)...)
	_, err := io.ReadFull(c.r, c.in)
	return err == nil
}

// answer returns the frame to write and when, nil for none.
func (c *conn) answer() (frame []byte, due ioevent.Time) {
	fate := answered
	if g := c.server.gate; g != nil {
		g.pause(ioevent.Now(), c.server.done)
	}
	c.out = c.answerer.appendReply(append(c.out[:0], 0, 0), c.in, false)
	switch g := c.server.gate; {
	case len(c.out) == 2:
		fate = ignored
	case g != nil:
		now := ioevent.Now()
		due, fate = g.judge(now, now)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tally[received]++
	if fate != answered {
		c.tally[fate]++
		return nil, 0
	}
	binary.BigEndian.PutUint16(c.out, uint16(len(c.out)-2))
	return c.out, due
}

// write writes frame, or holds it until it is due, and sends what is written if the next query has to be waited for.
func (c *conn) write(frame []byte, due ioevent.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if frame != nil {
		c.left--
	}
	switch {
	case frame == nil:
	case due > ioevent.Now():
		c.hold(frame, due)
	default:
		c.put(frame)
	}
	if c.left != 0 && frameAtHand(c.r) && c.held.len() == 0 {
		return true
	}
	return c.flush()
}

// put writes a frame into the buffer. An error shows in flush.
func (c *conn) put(frame []byte) {
	c.queued++
	_, _ = c.w.Write(frame)
}

func (c *conn) flush() bool {
	c.net.SetWriteDeadline(time.Now().Add(idleTimeout))
	if err := c.w.Flush(); err != nil {
		c.tally[unsent] += c.queued
		c.queued = 0
		return false
	}
	c.tally[answered] += c.queued
	c.queued = 0
	c.tcp.counters.move(&c.tally)
	return true
}

// hold keeps frame until it is due.
func (c *conn) hold(frame []byte, due ioevent.Time) {
	c.held.push(due, netip.AddrPort{}, frame)
	if c.held.first().due == due {
		c.rewind()
	}
}

// rewind sets the timer for the first of what is held.
func (c *conn) rewind() {
	d := time.Duration(c.held.first().due - ioevent.Now())
	if c.timer == nil {
		c.timer = time.AfterFunc(d, c.release)
	} else {
		c.timer.Reset(d)
	}
}

// release writes what is due. The timer calls it.
func (c *conn) release() {
	if g := c.server.gate; g.pause(ioevent.Now(), c.server.done) && c.server.closing() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for now := ioevent.Now(); c.held.len() > 0 && c.held.first().due <= now; {
		c.put(c.held.pop().data)
	}
	c.flush()
	if c.held.len() > 0 {
		c.rewind()
	} else {
		c.empty.Broadcast()
	}
}

// finish waits for what is late, unless the server is closed, and gives up the rest.
func (c *conn) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held.len() > 0 {
		stop := make(chan struct{})
		defer close(stop)
		go c.interrupt(stop)
	}
	for c.held.len() > 0 && !c.server.closing() {
		c.empty.Wait()
	}
	c.flush()
	c.tally[unsent] += uint64(c.held.len())
	c.held.n = 0
	c.tcp.counters.move(&c.tally)
}

// interrupt ends finish's wait when the server is closed.
func (c *conn) interrupt(stop <-chan struct{}) {
	select {
	case <-c.server.done:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.empty.Broadcast()
	case <-stop:
	}
}

// frameAtHand reports whether the next whole frame can be read without waiting for the client, who may wait for us.
func frameAtHand(r *bufio.Reader) bool {
	if r.Buffered() < 2 {
		return false
	}
	prefix, _ := r.Peek(2) // cannot fail: they are buffered
	return r.Buffered() >= 2+int(binary.BigEndian.Uint16(prefix))
}
