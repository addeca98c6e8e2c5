package backendtest

import (
	"net"
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/backend"
)

// stream is a backend.Stream. Under the network's lock.
type stream struct {
	net      *Network
	local    netip.AddrPort // valid once connected
	notify   func()
	out, in  *pipe // nil until connected
	err      error // why the dial failed
	short    bool  // a Write found no room
	closed   bool
	notified bool // a call of notify is already on its way
}

var _ backend.Stream = (*stream)(nil)

func (n *Network) dial(cfg backend.Config) (backend.Stream, error) {
	if !cfg.Remote.IsValid() {
		return nil, memoryError(backend.ErrUnreachable)
	}
	if err := control(cfg, "tcp"); err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, net.ErrClosed
	}
	local, err := n.bind(cfg.Local, cfg.Remote.Addr().Is6(), func(ap netip.AddrPort) bool { return n.listeners[ap] != nil })
	if err != nil {
		return nil, err
	}
	s := &stream{net: n, notify: cfg.Notify}
	delay := n.faults.DialDelay
	if delay == 0 {
		delay = 2 * n.faults.Delay
	}
	if n.faults.Loss < 1 {
		n.schedule.add(time.Now().Add(delay), func() { s.connect(local, cfg.Remote) })
	}
	return s, nil
}

// connect is the end of the dial.
func (s *stream) connect(local, remote netip.AddrPort) {
	l := s.net.listeners[remote]
	switch {
	case s.closed:
		return
	case s.net.unreachable[remote.Addr()]:
		s.err = memoryError(backend.ErrUnreachable)
	case l == nil:
		s.err = memoryError(backend.ErrRefused)
	default:
		s.local = local
		s.out = &pipe{net: s.net, writable: s.room}
		s.in = &pipe{net: s.net, readable: s.wake}
		l.add(newConn(s.net, remote, local, s.out, s.in))
	}
	s.wake()
}

// wake has Notify called.
func (s *stream) wake() {
	if s.notify == nil || s.closed || s.notified {
		return
	}
	s.notified = true
	s.net.schedule.add(time.Now(), func() {
		s.notified = false
		s.net.schedule.call(s.notify)
	})
}

// room wakes a writer that found none.
func (s *stream) room() {
	if s.short {
		s.short = false
		s.wake()
	}
}

func (s *stream) FD() int { return -1 }

// state is the error that Read and Write begin with.
func (s *stream) state() error {
	if s.closed {
		return net.ErrClosed
	}
	return s.err
}

func (s *stream) Read(p []byte) (n int, err error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if err := s.state(); err != nil || s.in == nil || len(p) == 0 {
		return 0, err
	}
	return s.in.read(p)
}

func (s *stream) Write(p []byte) (n int, err error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if err := s.state(); err != nil || s.out == nil {
		return 0, err
	}
	n, err = s.out.write(p)
	s.short = n < len(p)
	return n, err
}

func (s *stream) LocalAddr() netip.AddrPort {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	return s.local
}

func (s *stream) Close() error {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	s.closed = true
	if s.out != nil {
		s.out.end()
		s.in.abandon()
	}
	return nil
}
