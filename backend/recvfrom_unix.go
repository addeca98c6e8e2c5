//go:build unix

package backend

import (
	"syscall"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// plainSocket moves one datagram a call, with recvfrom(2) and sendto(2).
type plainSocket struct {
	udp
	peer     sys.Sockaddr
	stamp    int64 // of the datagram received last, where they are asked for
	recvfrom func(fd int, p []byte, from *sys.Sockaddr) (n int, errno syscall.Errno)
	sendto   func(fd int, p []byte, to *sys.Sockaddr, size uint32) (n int, errno syscall.Errno)
}

// probeRecvfrom finds nothing to doubt: POSIX has the calls.
func probeRecvfrom() error { return nil }

func openRecvfrom(cfg Config) (Socket, error) {
	s := &plainSocket{recvfrom: sys.Recvfrom, sendto: sys.Sendto}
	if err := s.open(cfg); err != nil {
		return nil, err
	}
	if s.stamps {
		s.recvfrom = s.stampedReceive()
	}
	return s, nil
}

func (s *plainSocket) Recv(batch []Datagram) (n int, dry bool, err error) { return s.recv(s, batch) }
func (s *plainSocket) Send(batch []Datagram) (n int, err error)           { return s.send(s, batch) }

// receive calls until there is nothing more or batch is full. It ends early with a datagram longer than its Buf, for the overflow holds one.
func (s *plainSocket) receive(batch []Datagram) (n int, dry bool, errno syscall.Errno) {
	for n < len(batch) {
		long, errno := s.receiveOne(&batch[n])
		if errno == unix.EAGAIN {
			s.stats.EmptyReceives++
			return n, true, 0
		}
		if errno != 0 {
			return n, false, errno
		}
		n++
		if long {
			break
		}
	}
	return n, false, 0
}

// receiveOne receives into the overflow, which any datagram fits into, and copies from there: cheaper than a second iovec, and every
// system has it without allocation.
func (s *plainSocket) receiveOne(d *Datagram) (long bool, errno syscall.Errno) {
	from := &s.peer
	if s.connected() {
		from = nil
	}
	tail := s.arena.tail()
	var size int
	for again := true; again; again = errno == unix.EINTR {
		size, errno = s.recvfrom(s.fd, tail, from)
		s.stats.Syscalls++
	}
	if errno != 0 {
		return false, errno
	}
	d.Data, d.Addr, d.Err, d.Stamp, d.Truncated = tail[:size:size], s.remote, nil, s.stamp, false
	if from != nil {
		d.Addr = s.arena.zones.with(from.AddrPort())
	}
	if size > len(d.Buf) {
		return true, 0
	}
	d.Data = d.Buf[:copy(d.Buf, d.Data)]
	return false, 0
}

func (s *plainSocket) transmit(batch []Datagram) (n int, errno syscall.Errno) {
	var to *sys.Sockaddr
	var size uint32
	if !s.connected() {
		to = &s.peer
		size = to.Set(batch[0].Addr, s.arena.zones.scope(batch[0].Addr))
	}
	for again := true; again; again = errno == unix.EINTR {
		_, errno = s.sendto(s.fd, batch[0].Data, to, size)
		s.stats.Syscalls++
	}
	if errno != 0 {
		return 0, errno
	}
	return 1, 0
}
