package backend

import (
	"math/bits"
	"syscall"
	"time"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// A ring has room for as many datagrams as a batch has, but not for fewer or more than these: the kernel stops when it has filled all
// buffers, and starting it again is a system call.
const (
	leastRing   = 16
	mostRing    = 128
	submissions = 4 // at a time: no more than one is
)

// A ringSocket receives through an io_uring(7) of its own and sends as a gsoSocket does. One submission receives for as long as there are buffers
// (multishot recvmsg(2)), so that Recv finds what has come without a system call.
//
// It is behind the others in the table, for what it costs. Each of up to 128 buffers has a page once it was received into, 512 KiB a socket, and
// 68 KiB of addresses, for a datagram of any size; the kernel keeps some 16 KiB for the rings. Opening and closing takes 60 µs, recvmmsg's 15. The
// kernel receives datagrams one by one, as they come, on the thread that submitted: that is the processor time of gso, 0.7 times that of recvmmsg,
// where the other side sends one by one, too, but trains, of which gso receives each as one, would cost five times as much. A switch of threads
// comes on top where another one waits by then.
type ringSocket struct {
	gsoSocket // sends
	ring      *sys.Ring
	buffers   *sys.Buffers
	header    unix.Msghdr // of the receive
	armed     bool        // the receive is in progress
	waiting   bool        // a poll for room in the send queue is in progress
}

// Tags tell what a completion is about.
const (
	tagReceive = iota << 32
	tagRoom
	tagNudge
)

// uring opens sockets by these calls.
type uring struct {
	openRing    func(submissions, completions int) (*sys.Ring, syscall.Errno)
	openBuffers func(r *sys.Ring, count, payload, control int) (*sys.Buffers, syscall.Errno)
}

func (u uring) open(cfg Config) (Socket, error) {
	s := new(ringSocket)
	if err := s.udp.open(cfg); err != nil {
		return nil, err
	}
	s.sendmmsg, s.free = sys.Sendmmsg, s.freeRing
	if err := s.start(u); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// start makes the ring and has it receive.
func (s *ringSocket) start(u uring) (err error) {
	n := 1 << bits.Len(uint(min(max(s.batch, leastRing), mostRing)-1))
	var errno syscall.Errno
	// A buffer is in one completion at most; of other kinds there are few at a time.
	if s.ring, errno = u.openRing(submissions, 2*n); errno != 0 {
		return failed("io_uring_setup", errno)
	}
	if err := unix.SetNonblock(s.ring.FD(), true); err != nil {
		return failed("fcntl", sys.Errno(err))
	}
	control := 0
	if s.stamps {
		control = unix.CmsgSpace(stampSize)
	}
	if s.buffers, errno = u.openBuffers(s.ring, n, maxDatagram, control); errno != 0 {
		return failed("io_uring_register", errno)
	}
	s.buffers.Message(&s.header)
	if errno = s.arm(); errno != 0 {
		return failed("io_uring_enter", errno)
	}
	if s.ring.Len() > 0 && s.ring.At(0).Result == -int32(unix.EINVAL) {
		return failed("io_uring_enter", unix.EINVAL)
	}
	return nil
}

// FD is the ring: readable while there are completions, which each make an edge. It is not writable while the send queue is full, and that there is
// room again makes it readable first.
func (s *ringSocket) FD() int { return s.ring.FD() }

func (s *ringSocket) Recv(batch []Datagram) (n int, dry bool, err error) { return s.recv(s, batch) }

func (s *ringSocket) Send(batch []Datagram) (n int, err error) {
	s.begin(batch)
	return s.send(s, batch)
}

// submit counts the system call.
func (s *ringSocket) submit() (n int, errno syscall.Errno) {
	s.stats.Syscalls++
	return s.ring.Submit()
}

// note keeps track of what is in progress.
func (s *ringSocket) note(c *sys.Completion) {
	switch c.Tag {
	case tagReceive:
		s.armed = c.More()
	case tagRoom:
		s.waiting = false
		s.ring.Block(false)
	}
}

// freeRing ends what is in progress, which keeps the socket and so its port: on the thread that submitted it, for which it waits a little.
func (s *ringSocket) freeRing() {
	if s.ring == nil {
		return
	}
	if s.buffers != nil {
		s.buffers.Close()
	}
	s.ring.Cancel()
	for range 10 {
		for ; s.ring.Len() > 0; s.ring.Advance(1) {
			s.note(s.ring.At(0))
		}
		if !s.armed && !s.waiting {
			break
		}
		s.ring.Wait(10 * time.Millisecond)
	}
	s.ring.Close()
}
