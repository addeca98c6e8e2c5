package backend

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
)

// streamBuffer bounds what a stream of the net backend holds in each direction, in octets. A whole DNS message and its length fit.
const streamBuffer = 1 << 17

var (
	errNoRemote = errors.New("a stream needs a remote address")
	// errSelf is what happens when the system picks the very port that is dialled and TCP's simultaneous open does the rest: nobody listens.
	errSelf = &reason{ErrRefused, errors.New("connect: the port was connected to itself")}
)

// netStream is a TCP connection through package net: a goroutine dials and then reads, another writes.
type netStream struct {
	notify func()
	cancel context.CancelFunc

	mu      sync.Mutex // all below
	change  sync.Cond  // room in in, something in out, or closed
	conn    *net.TCPConn
	in, out bytes.Buffer
	readErr error // what Read returns when in is empty
	err     error // what Write returns
	full    bool  // a Write found no room: Notify when there is
	closed  bool
}

func dialNet(cfg Config) (Stream, error) {
	if err := cfg.normalize(); err != nil {
		return nil, err
	}
	if !cfg.Remote.IsValid() {
		return nil, errNoRemote
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &netStream{notify: cfg.Notify, cancel: cancel}
	s.change.L = &s.mu
	if s.notify == nil {
		s.notify = func() {}
	}
	go s.run(ctx, cfg)
	return s, nil
}

// run is the goroutine that dials and reads.
func (s *netStream) run(ctx context.Context, cfg Config) {
	defer s.cancel()
	conn, err := dialConn(ctx, &cfg)
	if !s.connected(conn, err) || err != nil {
		return
	}
	go s.writeAll(conn)
	buf := make([]byte, 1<<14)
	for err == nil {
		var n int
		n, err = conn.Read(buf)
		if !s.arrived(buf[:n], err) {
			return
		}
	}
}

func dialConn(ctx context.Context, cfg *Config) (*net.TCPConn, error) {
	d := net.Dialer{Control: netControl(cfg), KeepAlive: -1}
	if cfg.bound() {
		d.LocalAddr = net.TCPAddrFromAddrPort(cfg.Local)
	}
	conn, err := d.DialContext(ctx, cfg.network("tcp"), cfg.Remote.String())
	if err != nil {
		return nil, explain(err)
	}
	c := conn.(*net.TCPConn)
	switch {
	case c.LocalAddr().String() == c.RemoteAddr().String():
		err = errSelf
	case cfg.RecvBuffer > 0:
		err = c.SetReadBuffer(cfg.RecvBuffer)
	}
	if cfg.SendBuffer > 0 && err == nil {
		err = c.SetWriteBuffer(cfg.SendBuffer)
	}
	if err != nil {
		c.Close()
		return nil, explain(err)
	}
	return c, nil
}

// connected takes the outcome of the dial. It returns false after Close.
func (s *netStream) connected(conn *net.TCPConn, err error) bool {
	s.mu.Lock()
	s.conn, s.err, s.readErr = conn, err, err
	closed := s.closed
	s.mu.Unlock()
	if closed && conn != nil {
		conn.Close()
	}
	if !closed {
		s.notify()
	}
	return !closed
}

// arrived takes what a read returned, waiting for room. It returns false after Close.
func (s *netStream) arrived(p []byte, err error) bool {
	s.mu.Lock()
	for s.in.Len() >= streamBuffer && !s.closed {
		s.change.Wait()
	}
	first, closed := s.in.Len() == 0, s.closed
	s.in.Write(p)
	if err != nil {
		s.readErr = explain(err) // io.EOF as it is
	}
	if err != nil && err != io.EOF && s.err == nil {
		s.err = s.readErr // no need to write to find out
	}
	s.mu.Unlock()
	if (first || err != nil) && !closed {
		s.notify()
	}
	return !closed
}

// writeAll is the goroutine that writes.
func (s *netStream) writeAll(conn *net.TCPConn) {
	var chunk []byte
	for {
		if chunk = s.waiting(chunk[:0]); len(chunk) == 0 {
			return
		}
		_, err := conn.Write(chunk)
		s.mu.Lock()
		if err != nil {
			s.err = explain(err)
		}
		notify := (s.full || err != nil) && !s.closed
		s.full = false
		s.mu.Unlock()
		if notify {
			s.notify()
		}
		if err != nil {
			return
		}
	}
}

// waiting waits for something to write and moves it to chunk. Nothing: closed.
func (s *netStream) waiting(chunk []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.out.Len() == 0 && !s.closed {
		s.change.Wait()
	}
	if s.closed {
		return nil
	}
	chunk = append(chunk, s.out.Bytes()...)
	s.out.Reset()
	return chunk
}

// FD is -1: readiness comes through Config.Notify.
func (s *netStream) FD() int { return -1 }

func (s *netStream) Read(p []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return 0, net.ErrClosed
	case s.in.Len() == 0:
		return 0, s.readErr
	}
	n, _ = s.in.Read(p)
	s.change.Broadcast()
	return n, nil
}

func (s *netStream) Write(p []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return 0, net.ErrClosed
	case s.err != nil:
		return 0, s.err
	case s.conn != nil:
		n = min(len(p), streamBuffer-s.out.Len())
	}
	s.out.Write(p[:n])
	s.full = n < len(p)
	s.change.Broadcast()
	return n, nil
}

func (s *netStream) LocalAddr() netip.AddrPort {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return netip.AddrPort{}
	}
	return unmap(s.conn.LocalAddr().(*net.TCPAddr).AddrPort())
}

// Close ends the goroutines. What Write took and package net has not yet passed on is lost.
func (s *netStream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	s.closed = true
	s.cancel()
	s.change.Broadcast()
	if s.conn == nil {
		return nil
	}
	return s.conn.Close()
}
