package dnstest

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

// maxErrors is how many reads in a row may fail before the socket counts as
// broken: some systems report ICMP errors there.
const maxErrors = 100

// linger is how long a connection is drained after an orderly close, so that
// octets still on their way do not turn it into a reset.
const linger = 20 * time.Millisecond

func (s *Server) serveUDP() {
	buf := make([]byte, 1<<16)
	for failed := 0; failed < maxErrors; {
		n, from, err := s.pc.ReadFrom(buf)
		switch {
		case s.over(), errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			failed++
			continue
		}
		failed = 0
		w := &Writer{s: s, send: func(octets []byte) { s.pc.WriteTo(octets, from) }}
		s.serve(w, slices.Clone(buf[:n]), UDP, from)
	}
}

func (s *Server) over() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// serve enters one message in the ledger and has it handled.
func (s *Server) serve(w *Writer, msg []byte, transport string, from net.Addr) {
	q, ok := parse(msg, transport, from)
	if !ok {
		s.ledger.addJunk()
		return
	}
	q.N = s.ledger.add(q)
	(*s.handler.Load())(w, q)
}

func (s *Server) serveTCP() {
	for failed := 0; failed < maxErrors; {
		c, err := s.ln.Accept()
		switch {
		case err == nil:
			failed = 0
			s.ledger.addConn()
			s.wg.Go(func() { s.serveConn(&conn{Conn: c}) })
		case s.over(), errors.Is(err, net.ErrClosed):
			return
		default:
			failed++
		}
	}
}

func (s *Server) serveConn(c *conn) {
	defer c.Conn.Close()
	if !s.track(c.Conn) {
		return
	}
	defer s.untrack(c.Conn)
	w := &Writer{s: s, conn: c, send: c.write}
	if greet := s.greet.Load(); greet != nil {
		(*greet)(w)
	}
	for {
		var length [2]byte
		if _, err := io.ReadFull(c.Conn, length[:]); err != nil {
			return
		}
		msg := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(c.Conn, msg); err != nil {
			return
		}
		if !c.over() {
			s.serve(w, msg, TCP, c.Conn.RemoteAddr())
		}
	}
}

// conn is a connection whose writes do not mix and stop when it has ended.
type conn struct {
	Conn  net.Conn
	mu    sync.Mutex
	ended bool
}

func (c *conn) write(octets []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.Conn.Write(octets)
	}
}

func (c *conn) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// end marks the end and reports whether it is the first.
func (c *conn) end() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.ended
	c.ended = true
	return first
}

// finish sends FIN; serveConn, whose reading fails when the deadline has
// passed, does the rest.
func (c *conn) finish() {
	if !c.end() {
		return
	}
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil || c.Conn.SetReadDeadline(time.Now().Add(linger)) != nil {
		c.Conn.Close()
	}
}

// reset closes so that the peer is told at once and what it has not got yet is
// lost: by RST on a real connection, by its own method on an in-memory one.
func (c *conn) reset() {
	if !c.end() {
		return
	}
	switch rc := c.Conn.(type) {
	case interface{ Reset() error }:
		rc.Reset()
	case interface{ Reset() }:
		rc.Reset()
	case interface{ SetLinger(sec int) error }:
		rc.SetLinger(0)
	}
	c.Conn.Close()
}
