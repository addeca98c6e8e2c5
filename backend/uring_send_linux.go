package backend

import (
	"syscall"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// transmit sends as much of batch as fits into the ring. The sends are linked, so that one that fails keeps those behind it from being sent;
// none waits, so that all have ended when submit returns; and those that succeed leave no completion.
func (s *ringSocket) transmit(batch []Datagram) (n int, errno syscall.Errno) {
	if s.waiting {
		s.pull(tagRoom)
	}
	batch = batch[:min(len(batch), s.ring.Room())]
	msgs := s.arena.outgoing(batch, !s.connected())
	for i := range msgs {
		q := s.ring.Next()
		q.Op, q.FD, q.Tag = sys.OpSendmsg, int32(s.fd), tagSend+uint64(i)
		q.OpFlags = unix.MSG_DONTWAIT | unix.MSG_NOSIGNAL
		q.Flags = sys.SubmitSkipSuccess
		if i < len(msgs)-1 {
			q.Flags |= sys.SubmitLink
		}
		q.SetMessage(&msgs[i].Hdr)
	}
	n, errno = s.submit()
	switch {
	case errno == unix.EAGAIN || errno == unix.EBUSY: // no memory for requests
		return n, unix.ENOBUFS
	case errno != 0:
		return n, errno
	case n < len(msgs):
		s.ring.Cancel() // a chain without an end: a thread of the kernel's may have got it
	}
	if c, ok := s.pull(tagSend); ok {
		return s.failed(c)
	}
	return n, 0
}

// failed is the result of a batch of which one send failed: those ahead of it were sent.
func (s *ringSocket) failed(c sys.Completion) (n int, errno syscall.Errno) {
	n, errno = int(uint32(c.Tag)), syscall.Errno(-c.Result)
	switch {
	case errno == unix.EAGAIN:
		s.awaitRoom()
	case errno == unix.ECANCELED:
		errno = unix.ENOBUFS // the kernel could not even begin
	case s.ring.Len() == 0:
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
