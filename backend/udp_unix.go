//go:build unix

package backend

import (
	"net"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"
)

// A udp is what a Socket with a descriptor is made of, whichever calls it moves datagrams with.
type udp struct {
	descriptor
	errorQueue
	remote netip.AddrPort // invalid: unconnected
	local  netip.AddrPort // invalid: not asked for yet
	arena  *Arena
	batch  int
	stamps bool // the kernel gives them
	stats  Stats
}

// A mover is the one mechanism that differs: a batch in, a batch out. A number that is not zero says why no more than n were moved.
type mover interface {
	// receive fills entries of batch, which is not empty. Dry is as in Socket.Recv; EAGAIN shows as dry alone.
	receive(batch []Datagram) (n int, dry bool, errno syscall.Errno)
	// transmit sends from batch, which is not empty. The number, if there is one, is that of batch[n].
	transmit(batch []Datagram) (n int, errno syscall.Errno)
}

// open makes u the socket that cfg describes.
func (u *udp) open(cfg Config) (err error) {
	if err = cfg.normalize(); err != nil {
		return err
	}
	u.remote, u.arena, u.batch = cfg.Remote, cfg.Arena, cfg.Batch
	u.fd, err = openSocket(&cfg, "udp")
	u.stamps = err == nil && cfg.Stamps && wantStamps(u.fd)
	return err
}

func (u *udp) connected() bool { return u.remote.IsValid() }

// LocalAddr asks the kernel once: a socket may be opened and closed without anybody wanting to know.
func (u *udp) LocalAddr() netip.AddrPort {
	if !u.local.IsValid() && u.acquire() {
		defer u.release()
		if sa, err := unix.Getsockname(u.fd); err == nil {
			u.local = addrPort(u.arena, sa)
		}
	}
	return u.local
}

// Stats returns the counters.
func (u *udp) Stats() Stats {
	if u.acquire() {
		defer u.release()
		askKernel(u.fd, &u.stats)
	}
	return u.stats
}

// recv is Socket.Recv by way of m.
func (u *udp) recv(m mover, batch []Datagram) (n int, dry bool, err error) {
	if !u.acquire() {
		return 0, true, net.ErrClosed
	}
	defer u.release()
	batch = batch[:min(len(batch), u.batch)]
	for range 2 { // a pending error is told once: the second receive comes to the datagrams behind it
		n += u.reports(batch[n:])
		if n == len(batch) {
			return n, false, nil
		}
		got, dry, errno := m.receive(batch[n:])
		n += got
		switch {
		case errno == 0 && n > 0:
			return n, dry && u.quiet(), nil
		case errno == 0:
			// Woken for nothing: an error queue that is left full would wake a level-triggered loop for ever.
			u.suspect()
			n = u.reports(batch)
			return n, dry && u.quiet(), nil
		case lasting(errno) && n == 0:
			return 0, true, failed("recv", errno)
		case lasting(errno):
			return n, false, nil // the next call says so again
		}
		u.told(errno)
	}
	return n, false, nil
}

// send is Socket.Send by way of m.
func (u *udp) send(m mover, batch []Datagram) (n int, err error) {
	if !u.acquire() {
		return 0, net.ErrClosed
	}
	defer u.release()
	tried := -1 // the entry that is being tried once more
	for n < len(batch) {
		sent, errno := m.transmit(batch[n:min(len(batch), n+u.batch)])
		n += sent
		switch {
		case errno == 0 && sent > 0:
			continue
		case errno == 0 || errno == unix.EAGAIN:
			return n, nil
		case errno == unix.ENOBUFS || errno == unix.ENOMEM:
			return n, failed("send", errno)
		}
		// The number may be what the network said about an earlier datagram. That is told once, so a second one is batch[n]'s own.
		if tried == n {
			u.own()
			return n, failed("send", errno)
		}
		tried = n
		u.told(errno)
	}
	return n, nil
}
