package backend

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
)

// What the headers of IP and UDP leave of 65,535 octets; IPv6 does not count its own.
const (
	maxPayload4 = 65507
	maxPayload6 = 65527
)

// netQueue bounds what a socket of the net backend holds in each direction, in datagrams.
const netQueue = 256

// netSocket moves datagrams through package net. A goroutine receives into in, another sends from out, so that Recv and Send never block.
type netSocket struct {
	conn   *net.UDPConn
	remote netip.AddrPort // invalid: unconnected
	local  netip.AddrPort
	arena  *Arena
	batch  int
	notify func()

	syscalls atomic.Uint64

	mu     sync.Mutex // all below
	change sync.Cond  // room in in, something in out, or closed
	in     queue
	out    queue
	full   bool  // a Send found out full: Notify when there is room
	err    error // the socket will not recover
	closed bool
}

func probeNet() error { return nil }

func openNet(cfg Config) (Socket, error) {
	if err := cfg.normalize(); err != nil {
		return nil, err
	}
	conn, err := openUDPConn(&cfg)
	if err != nil {
		return nil, explain(err)
	}
	s := &netSocket{conn: conn, remote: cfg.Remote, arena: cfg.Arena, batch: cfg.Batch, notify: cfg.Notify}
	s.change.L = &s.mu
	s.local = unmap(conn.LocalAddr().(*net.UDPAddr).AddrPort())
	if s.notify == nil {
		s.notify = func() {}
	}
	go s.readAll(newPacketReader(s))
	go s.writeAll(newPacketWriter(s))
	return s, nil
}

func openUDPConn(cfg *Config) (*net.UDPConn, error) {
	var conn any
	var err error
	control := netControl(cfg)
	if cfg.Remote.IsValid() {
		d := net.Dialer{Control: control}
		if cfg.bound() {
			d.LocalAddr = net.UDPAddrFromAddrPort(cfg.Local)
		}
		conn, err = d.DialContext(context.Background(), cfg.network("udp"), cfg.Remote.String())
	} else {
		local := cfg.Local
		if !local.IsValid() {
			local = cfg.wildcard()
		}
		lc := net.ListenConfig{Control: control}
		conn, err = lc.ListenPacket(context.Background(), cfg.network("udp"), local.String())
	}
	if err != nil {
		return nil, err
	}
	return sized(conn.(*net.UDPConn), cfg)
}

// netControl sets the options that package net has no calls for, cfg.Control's last, in the form that it takes; nil if there are none.
func netControl(cfg *Config) func(network, address string, c syscall.RawConn) error {
	if cfg.Control == nil && cfg.BusyPoll == (BusyPoll{}) {
		return nil
	}
	return func(network, _ string, c syscall.RawConn) error {
		var err error
		set := func(fd uintptr) {
			if err = setBusyPoll(int(fd), cfg.BusyPoll); err == nil && cfg.Control != nil {
				err = cfg.Control(network, fd)
			}
		}
		if e := c.Control(set); e != nil {
			return e
		}
		return err
	}
}

// FD is -1: readiness comes through Config.Notify.
func (s *netSocket) FD() int { return -1 }

// LocalAddr is the address the socket is bound to.
func (s *netSocket) LocalAddr() netip.AddrPort { return s.local }

func (s *netSocket) Recv(batch []Datagram) (n int, dry bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, true, net.ErrClosed
	}
	if s.in.len() == 0 && s.err != nil {
		return 0, true, s.err
	}
	batch = batch[:min(len(batch), s.batch)]
	for n < len(batch) && s.in.len() > 0 {
		long := batch[n].take(s.in.pop(), s.arena)
		n++
		if long { // the overflow holds one
			break
		}
	}
	if n > 0 {
		s.change.Broadcast()
	}
	return n, s.in.len() == 0, nil
}

func (s *netSocket) Send(batch []Datagram) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, net.ErrClosed
	}
	for n < len(batch) && s.out.len() < netQueue {
		if err = s.refused(&batch[n]); err != nil {
			break
		}
		s.out.push(Datagram{Data: batch[n].Data, Addr: batch[n].Addr})
		n++
	}
	s.full = n < len(batch) && err == nil
	if n > 0 {
		s.change.Broadcast()
	}
	return n, err
}

// refused is why d cannot be sent at all. Found here, it is an error of Send; what the system finds comes out of Recv.
func (s *netSocket) refused(d *Datagram) error {
	limit := maxPayload4
	if s.local.Addr().Is6() {
		limit = maxPayload6
	}
	switch {
	case len(d.Data) > limit:
		return &reason{ErrTooBig, fmt.Errorf("send: %d octets, %d are possible", len(d.Data), limit)}
	case s.remote.IsValid():
	case !d.Addr.IsValid() || d.Addr.Addr().Unmap().Is4() != s.local.Addr().Is4():
		return &reason{ErrUnreachable, fmt.Errorf("send: from %v to %v", s.local, d.Addr)}
	}
	return nil
}

// unmap writes an IPv4-mapped address, which package net uses here and there, as IPv4.
func unmap(ap netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port()) }

// Stats returns the counters. Package net hides the receives that find nothing.
func (s *netSocket) Stats() Stats {
	st := Stats{Syscalls: s.syscalls.Load()}
	askConn(s.conn, &st)
	return st
}

// Close ends the goroutines; a call of Config.Notify that has begun may still be running when it returns.
func (s *netSocket) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	s.closed = true
	s.change.Broadcast()
	return s.conn.Close()
}
