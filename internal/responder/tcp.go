package responder

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"time"
)

const (
	maxConns    = 256 // TCP connections at a time; more wait in the listener's queue
	idleTimeout = 10 * time.Second
)

func (s *Server) serveTCP() {
	for {
		s.slots <- struct{}{}
		c, err := s.tcp.Accept()
		if err != nil {
			<-s.slots
			if s.closed() {
				return
			}
			time.Sleep(10 * time.Millisecond) // out of descriptors, for instance: do not spin
			continue
		}
		if !s.track(c) {
			return
		}
		s.wg.Go(func() {
			defer s.forget(c)
			s.serveConn(c)
		})
	}
}

// track notes c for Close and reports false after it.
func (s *Server) track(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conns == nil {
		c.Close()
		return false
	}
	s.conns[c] = true
	return true
}

func (s *Server) forget(c net.Conn) {
	c.Close()
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	<-s.slots
}

// serveConn answers the queries of a connection in their order. Replies leave together when no more queries are at hand.
func (s *Server) serveConn(c net.Conn) {
	r, w := bufio.NewReader(c), bufio.NewWriter(c)
	var in, out []byte
	for {
		c.SetDeadline(time.Now().Add(idleTimeout)) // fails only on a closed connection
		var prefix [2]byte
		if _, err := io.ReadFull(r, prefix[:]); err != nil {
			return
		}
		n := int(binary.BigEndian.Uint16(prefix[:]))
		in = append(in[:0], make([]byte, n)...)
		if _, err := io.ReadFull(r, in); err != nil {
			return
		}
		out = s.zone.appendReply(append(out[:0], 0, 0), in, false)
		if len(out) == len(prefix) {
			continue
		}
		binary.BigEndian.PutUint16(out, uint16(len(out)-len(prefix)))
		if _, err := w.Write(out); err != nil {
			return
		}
		if !frameAtHand(r) && w.Flush() != nil {
			return
		}
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
