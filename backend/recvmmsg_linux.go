package backend

import (
	"syscall"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// controlSize is the room for the control messages of SO_RXQ_OVFL, a 32-bit counter, UDP_GRO, an int, and SO_TIMESTAMPNS_NEW: twice
// unix.CmsgSpace(4) and unix.CmsgSpace(stampSize), where they are largest.
const controlSize = 2*24 + 32

// mmsgSocket moves batches with recvmmsg(2) and sendmmsg(2).
type mmsgSocket struct {
	udp
	recvmmsg, sendmmsg func(fd int, msgs []unix.Mmsghdr) (n int, errno syscall.Errno)
}

func probeRecvmmsg() error {
	// A bad descriptor is refused by a call that is there, before it looks at anything else.
	if _, errno := sys.Recvmmsg(-1, nil); errno != unix.EBADF {
		return &UnsupportedError{Backend: "recvmmsg", Feature: "recvmmsg(2)", MinKernel: "2.6.33", Err: errno}
	}
	if _, errno := sys.Sendmmsg(-1, nil); errno != unix.EBADF {
		return &UnsupportedError{Backend: "recvmmsg", Feature: "sendmmsg(2)", MinKernel: "3.0", Err: errno}
	}
	return nil
}

func openRecvmmsg(cfg Config) (Socket, error) {
	s := new(mmsgSocket)
	if err := s.open(cfg); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *mmsgSocket) open(cfg Config) error {
	s.recvmmsg, s.sendmmsg = sys.Recvmmsg, sys.Sendmmsg
	if err := s.udp.open(cfg); err != nil {
		return err
	}
	// Without it the drops are known from SO_MEMINFO alone, when Stats is called.
	_ = unix.SetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_RXQ_OVFL, 1)
	return nil
}

func (s *mmsgSocket) Recv(batch []Datagram) (n int, dry bool, err error) { return s.recv(s, batch) }
func (s *mmsgSocket) Send(batch []Datagram) (n int, err error)           { return s.send(s, batch) }

func (s *mmsgSocket) receive(batch []Datagram) (n int, dry bool, errno syscall.Errno) {
	n, errno = s.call(s.recvmmsg, s.arena.incoming(batch, manner{named: !s.connected()}))
	if errno == unix.EAGAIN {
		s.stats.EmptyReceives++
		return 0, true, 0
	}
	if n > 0 {
		s.countDrops(n - 1)
	}
	last := -1 // the last that went on in the overflow: the others' tails are overwritten
	for i := s.plain(batch, n); i < n; i++ {
		if s.accept(&batch[i], i) {
			last = i
		}
	}
	if last >= 0 {
		d, m := &batch[last], &s.arena.receiving.msgs[last]
		d.Data, d.Truncated = s.arena.join(d.Buf, int(m.Len)), m.Hdr.Flags&unix.MSG_TRUNC != 0
	}
	return n, n < len(batch), errno
}

// plain makes entries of batch of the messages at the beginning of those received that are a datagram in its Buf and nothing else: mostly
// all.
func (s *mmsgSocket) plain(batch []Datagram, messages int) (n int) {
	h := &s.arena.receiving
	msgs, entries, remote, named, most := h.msgs[:messages], batch[:messages], s.remote, h.named, h.most()
	for i := range msgs {
		m, d := &msgs[i], &entries[i]
		size := int(m.Len)
		if m.Hdr.Controllen != 0 || size > min(len(d.Buf), most) {
			return i
		}
		d.Data, d.Addr, d.Err, d.Stamp, d.Truncated = d.Buf[:size], remote, nil, 0, false
		if named {
			d.Addr = s.arena.from(i, remote)
		}
		h.renew(i)
	}
	return messages
}

// accept fills d from message i and reports whether it was longer than d.Buf.
func (s *mmsgSocket) accept(d *Datagram, i int) (long bool) {
	size := int(s.arena.receiving.msgs[i].Len)
	long = size > len(d.Buf)
	d.Data, d.Addr, d.Err, d.Stamp, d.Truncated = d.Buf[:min(size, len(d.Buf))], s.arena.from(i, s.remote), nil, 0, long
	if s.stamps {
		d.Stamp = s.arena.receiving.told(i).stamp
	}
	s.arena.receiving.renew(i)
	return long
}

// countDrops reads the counter that came with message i. There is none before the first drop, and the last one says it all.
func (s *mmsgSocket) countDrops(i int) {
	s.stats.Dropped = max(s.stats.Dropped, uint64(s.arena.receiving.told(i).drops))
}

func (s *mmsgSocket) transmit(batch []Datagram) (n int, errno syscall.Errno) {
	return s.call(s.sendmmsg, s.arena.outgoing(batch, !s.connected()))
}

// call makes a system call.
func (s *mmsgSocket) call(do func(fd int, msgs []unix.Mmsghdr) (int, syscall.Errno), msgs []unix.Mmsghdr) (n int, errno syscall.Errno) {
	for again := true; again; again = errno == unix.EINTR {
		n, errno = do(s.fd, msgs)
		s.stats.Syscalls++
	}
	return n, errno
}
