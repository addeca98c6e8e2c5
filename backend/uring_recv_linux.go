package backend

import (
	"syscall"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// arm has the kernel receive until it runs out of buffers or has an error to tell.
func (s *ringSocket) arm() syscall.Errno {
	q := s.ring.Next()
	q.Op, q.FD, q.Tag = sys.OpRecvmsg, int32(s.fd), tagReceive
	q.Flags, q.Priority = sys.SubmitBufferSelect, sys.RecvMultishot
	q.SetMessage(&s.header)
	n, errno := s.submit()
	s.armed = n == 1
	return errno
}

// receive takes what has been received. Where the kernel has stopped, it goes on, which may bring more at once.
func (s *ringSocket) receive(batch []Datagram) (n int, dry bool, errno syscall.Errno) {
	for {
		got, long, errno := s.take(batch[n:])
		n += got
		if errno != 0 || long || s.armed || n == len(batch) {
			return n, errno == 0 && s.armed && s.ring.Len() == 0, errno
		}
		if errno := s.arm(); errno != 0 {
			return n, false, errno
		}
	}
}

// take fills batch from the completions that there are. It ends early with a datagram longer than its Buf, for the overflow holds one.
func (s *ringSocket) take(batch []Datagram) (n int, long bool, errno syscall.Errno) {
	seen, blocked := 0, s.waiting
	for there := s.ring.Len(); seen < there && n < len(batch) && !long && errno == 0; seen++ {
		c := s.ring.At(seen)
		s.note(c)
		if c.Tag != tagReceive {
			continue
		}
		if id, ok := c.Buffer(); ok {
			long = s.accept(&batch[n], id)
			n++
		} else {
			errno = ended(c.Result)
		}
	}
	if seen > 0 {
		s.ring.Advance(seen)
		s.buffers.Publish()
	}
	if blocked && !s.waiting {
		s.nudge() // for whoever waits for the ring to be writable
	}
	return n, long, errno
}

// ended is the error that a receive ended with: none where it ran out of buffers, or the thread that submitted it exited.
func ended(result int32) syscall.Errno {
	switch errno := syscall.Errno(-min(result, 0)); errno {
	case unix.ENOBUFS, unix.ECANCELED:
		return 0
	default:
		return errno
	}
}

// accept copies the datagram in buffer number id to d, and gives the buffer back. It reports whether it was longer than d.Buf.
func (s *ringSocket) accept(d *Datagram, id uint16) (long bool) {
	payload, from, truncated := s.buffers.Received(id)
	received := Datagram{Data: payload, Addr: s.remote, Truncated: truncated}
	if !s.connected() {
		received.Addr = s.arena.zones.with(from.AddrPort())
	}
	if s.stamps {
		received.Stamp = readNote(s.buffers.Control(id)).stamp
	}
	long = d.take(received, s.arena)
	s.buffers.Give(id)
	return long
}
