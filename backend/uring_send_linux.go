package backend

import (
	"syscall"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// transmit sends as gso does. Requests of the ring's would cost more: each of a chain is put off and taken up again by itself.
func (s *ringSocket) transmit(batch []Datagram) (n int, errno syscall.Errno) {
	if s.waiting {
		s.pull(tagRoom)
	}
	n, errno = s.gsoSocket.transmit(batch)
	switch {
	case errno == unix.EAGAIN:
		s.awaitRoom()
	case errno != 0 && s.ring.Len() == 0:
		s.nudge() // it may have been meant for the receive: the next one reads the report
	}
	return n, errno
}

// pull takes the first completion of a kind out of the others, so that they never fill the ring while nobody receives.
func (s *ringSocket) pull(kind uint64) (c sys.Completion, ok bool) {
	for i := range s.ring.Len() {
		if c = *s.ring.At(i); c.Tag>>32 == kind>>32 {
			s.ring.Remove(i)
			s.note(&c)
			return c, true
		}
	}
	return c, false
}

// awaitRoom makes the ring not writable until there is room in the send queue, which makes a completion.
func (s *ringSocket) awaitRoom() {
	if s.waiting {
		return
	}
	q := s.ring.Next()
	q.Op, q.FD, q.Tag, q.OpFlags = sys.OpPollAdd, int32(s.fd), tagRoom, unix.POLLOUT
	n, _ := s.submit()
	s.waiting = n == 1
	s.ring.Block(s.waiting)
}

// nudge makes an edge.
func (s *ringSocket) nudge() {
	s.ring.Next().Tag = tagNudge
	_, _ = s.submit()
}
