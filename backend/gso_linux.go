package backend

import (
	"syscall"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// pause is how many sends a socket makes without trains after its path refused one.
const pause = 1024

// gsoSocket is mmsgSocket with trains: datagrams of one size that the kernel takes as one (UDP_SEGMENT in udp(7)), or hands over as one
// (UDP_GRO). What is said of trains is in train_linux.go.
type gsoSocket struct {
	mmsgSocket
	single bool // they are not to be received
	gro    bool // trains are received as such
	kept   kept // received and not delivered: it did not fit into the batch
	length int  // of the trains lately received, in datagrams
	calm   int  // messages received since the last that was a train or long
	alone  bool // for the rest of this Send: an error is known to be one datagram's only when that is sent alone
	rest   int  // sends to go before the next train is tried
}

func probeGSO() error { return probeTrains(sys.Socket, unix.GetsockoptInt) }

// probeTrains asks a socket, of either family, for the options.
func probeTrains(socket func(family, typ int) (int, syscall.Errno), getsockopt func(fd, level, option int) (int, error)) error {
	if err := probeRecvmmsg(); err != nil {
		return err
	}
	fd, errno := socket(unix.AF_INET, unix.SOCK_DGRAM)
	if errno != 0 {
		if fd, errno = socket(unix.AF_INET6, unix.SOCK_DGRAM); errno != 0 {
			return &UnsupportedError{Backend: "gso", Feature: "a UDP socket", Err: errno}
		}
	}
	defer unix.Close(fd)
	if _, err := getsockopt(fd, unix.IPPROTO_UDP, unix.UDP_SEGMENT); err != nil {
		return &UnsupportedError{Backend: "gso", Feature: "UDP_SEGMENT", MinKernel: "4.18", Err: err}
	}
	if _, err := getsockopt(fd, unix.IPPROTO_UDP, unix.UDP_GRO); err != nil {
		return &UnsupportedError{Backend: "gso", Feature: "UDP_GRO", MinKernel: "5.0", Err: err}
	}
	return nil
}

func openGSO(cfg Config) (Socket, error) {
	s := &gsoSocket{length: 1, single: cfg.NoTrains}
	if err := s.open(cfg); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *gsoSocket) Recv(batch []Datagram) (n int, dry bool, err error) {
	s.kept.reuse()
	return s.recv(s, batch)
}

// Send asks for trains to be received with the first batch that is sent: a socket that lives for one query does not pay for the option,
// which costs 200 µs where no other socket of the system has it.
func (s *gsoSocket) Send(batch []Datagram) (n int, err error) {
	s.begin(batch)
	if len(batch) > 1 && !s.gro && !s.single && s.acquire() {
		s.gro = true
		err := unix.SetsockoptInt(s.fd, unix.IPPROTO_UDP, unix.UDP_GRO, 1)
		s.stats.Trains = err == nil // refused, datagrams come one by one
		s.release()
	}
	return s.send(s, batch)
}

// begin begins a Send of batch.
func (s *gsoSocket) begin(batch []Datagram) {
	s.alone = false
	if len(batch) > 1 {
		s.rest = max(0, s.rest-1)
	}
}

// transmit sends batch, or the beginning that there is room for, as trains.
func (s *gsoSocket) transmit(batch []Datagram) (n int, errno syscall.Errno) {
	for {
		if len(batch) == 1 || s.alone || s.rest > 0 {
			return s.mmsgSocket.transmit(batch)
		}
		trains := s.arena.outgoingTrains(batch, !s.connected())
		sent, errno := s.call(s.sendmmsg, s.arena.sending.msgs[:len(trains)])
		for _, k := range trains[:sent] {
			n += k
		}
		if errno == 0 || !s.refused(errno, trains[0]) {
			return n, errno
		}
	}
}

// refused notes why a message of k datagrams was not sent and reports whether to send them at once in another way.
func (s *gsoSocket) refused(errno syscall.Errno, k int) bool {
	switch {
	case k == 1 || errno == unix.EAGAIN || errno == unix.ENOBUFS || errno == unix.ENOMEM:
		return false
	case errno == unix.EINVAL && k > leastTrain && s.arena.most > leastTrain:
		s.arena.most = leastTrain
		return true
	case errno == unix.EINVAL || errno == unix.EIO || errno == unix.EMSGSIZE:
		s.rest = pause
		s.suspect()
		return true
	}
	s.alone = true
	return false
}

// receive returns what was kept and calls until there is nothing more, batch is full, or a message has taken one of the areas.
func (s *gsoSocket) receive(batch []Datagram) (n int, dry bool, errno syscall.Errno) {
	n = s.kept.split(batch)
	for taken := false; n < len(batch) && !taken && !dry && errno == 0; {
		var got, more int
		want := s.messages(len(batch) - n)
		msgs := s.arena.incoming(batch[n:n+want], manner{named: !s.connected(), trains: true})
		if got, errno = s.call(s.recvmmsg, msgs); errno == unix.EAGAIN {
			s.stats.EmptyReceives++
			return n, true, 0
		}
		dry = got < want && errno == 0
		more, taken = s.unload(batch[n:], got)
		n += more
	}
	return n, dry && s.kept.empty(), errno
}

// messages is how many messages to receive where there is room for so many datagrams: as many as fit, going by the trains of late, and one
// more, to know whether there is more. Those beyond the number of areas are asked for only where it has been calm, for of two that share an
// area only the last can be long.
func (s *gsoSocket) messages(room int) int {
	n := min(room, room/s.length+1)
	if s.gro {
		n = min(n, areas+s.calm)
	}
	return n
}

// unload makes entries of batch of the messages received, keeps what does not fit, and reports whether an area was used.
func (s *gsoSocket) unload(batch []Datagram, messages int) (n int, taken bool) {
	n = s.plain(batch, messages)
	s.calm = min(s.calm+n, MaxBatch)
	longest := 1
	for i := n; i < messages; i++ {
		m, long := s.message(batch, i, messages)
		longest = max(longest, m.length())
		s.calm = min(s.calm+1, MaxBatch)
		if long || m.length() > 1 {
			s.calm = 0
		}
		taken = taken || long
		n += m.split(batch[n:])
		if !m.done {
			s.kept.push(m)
		}
	}
	s.length = max(longest, (s.length+longest)/2)
	return n, taken
}

// message is message i of n that were received into batch, with what the kernel tells about it, and whether it went on in its area.
func (s *gsoSocket) message(batch []Datagram, i, n int) (m message, long bool) {
	m, long = s.arena.message(batch, i, n)
	m.from = s.arena.from(i, s.remote)
	h := &s.arena.receiving
	if h.msgs[i].Hdr.Controllen != 0 {
		told := h.told(i)
		m.segment, m.stamp = told.segment, told.stamp
		s.stats.Dropped = max(s.stats.Dropped, uint64(told.drops))
	}
	h.renew(i)
	return m, long
}
