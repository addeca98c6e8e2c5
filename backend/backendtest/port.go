package backendtest

import (
	"bytes"
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/backend"
)

const (
	maxPayload    = 65507  // what IPv4 and UDP headers leave of 65,535 octets
	defaultBuffer = 212992 // octets of datagrams that wait to be received; Linux's default
	overhead      = 256    // what an octet count leaves out of a datagram's cost
)

// A port is a bound UDP address: what a Socket and a server's net.PacketConn have in common. Under the network's lock.
type port struct {
	net     *Network
	addr    netip.AddrPort
	remote  netip.AddrPort // valid: nothing else is received
	reports bool           // whether errors from the network are received
	arrived func(first bool)
	queue   []backend.Datagram // each with its own memory in Data
	held    int                // octets in queue
	buffer  int                // the most octets
	dropped uint64
	closed  bool
}

// newPort binds p to local.
func (n *Network) newPort(p *port, local netip.AddrPort) (err error) {
	if n.closed {
		return backend.ErrClosed
	}
	p.net = n
	taken := func(ap netip.AddrPort) bool { return n.ports[ap] != nil }
	if p.addr, err = n.bind(local, p.remote.Addr().Is6(), taken); err != nil {
		return err
	}
	n.ports[p.addr] = p
	return nil
}

func (p *port) close() {
	p.closed, p.queue = true, nil
	delete(p.net.ports, p.addr)
	p.arrived(true)
}

// send puts a copy of data on its way.
func (p *port) send(data []byte, to netip.AddrPort) error {
	switch {
	case len(data) > maxPayload:
		return memoryError(backend.ErrTooBig)
	case !to.IsValid() || to.Addr().Is4() != p.addr.Addr().Is4():
		return memoryError(backend.ErrUnreachable)
	}
	f, d := p.net.faults, backend.Datagram{Data: bytes.Clone(data), Addr: p.addr}
	copies := 1
	if f.Rand.Float64() < f.Duplicate {
		copies = 2
	}
	for range copies {
		if f.Rand.Float64() < f.Loss {
			continue
		}
		p.net.schedule.add(time.Now().Add(f.transit()), func() { p.reach(d, to) })
	}
	return nil
}

// transit draws the time that one datagram takes.
func (f *Faults) transit() time.Duration {
	d := f.Delay
	if f.Jitter > 0 {
		d += time.Duration(f.Rand.Int64N(int64(f.Jitter)))
	}
	if f.Rand.Float64() < f.Reorder {
		d += f.Delay + time.Millisecond
	}
	return d
}

// reach is the arrival of d, sent by p, at to.
func (p *port) reach(d backend.Datagram, to netip.AddrPort) {
	peer := p.net.ports[to]
	switch {
	case p.net.unreachable[to.Addr()]:
		p.refuse(d.Data, to, backend.ErrUnreachable)
	case peer == nil:
		p.refuse(d.Data, to, backend.ErrRefused)
	case !peer.remote.IsValid() || peer.remote == d.Addr:
		peer.arrive(d)
	}
}

// refuse sends p an error about data, which it had sent to to.
func (p *port) refuse(data []byte, to netip.AddrPort, sentinel error) {
	if !p.reports {
		return
	}
	d := backend.Datagram{Data: data, Addr: to, Err: memoryError(sentinel)}
	p.net.schedule.add(time.Now().Add(p.net.faults.Delay), func() { p.arrive(d) })
}

// arrive queues d if there is room.
func (p *port) arrive(d backend.Datagram) {
	switch cost := len(d.Data) + overhead; {
	case p.closed:
	case p.held+cost > p.buffer && p.held > 0:
		p.dropped++
	default:
		p.held += cost
		p.queue = append(p.queue, d)
		p.arrived(len(p.queue) == 1)
	}
}

// take removes the first datagram; there must be one.
func (p *port) take() backend.Datagram {
	d := p.queue[0]
	p.queue = p.queue[1:]
	p.held -= len(d.Data) + overhead
	return d
}
