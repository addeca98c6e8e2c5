package backendtest

import (
	"net"
	"net/netip"
	"os"
	"sync"
	"time"
)

// conn is the server's end of a stream. Under the network's lock.
type conn struct {
	net           *Network
	local, remote netip.AddrPort
	in, out       *pipe
	cond          sync.Cond // anything changed
	rd, wr        deadline
	linger        int // as in SetLinger
	closed        bool
}

// newConn returns the server's end: in comes from the stream, out goes to it.
func newConn(n *Network, local, remote netip.AddrPort, in, out *pipe) *conn {
	c := &conn{net: n, local: local, remote: remote, in: in, out: out, linger: -1}
	c.cond.L = &n.mu
	in.readable, out.writable = c.cond.Broadcast, c.cond.Broadcast
	n.conns[c] = struct{}{}
	return c
}

func (c *conn) Read(p []byte) (n int, err error) {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, net.ErrClosed
		case c.rd.passed():
			return 0, os.ErrDeadlineExceeded
		case len(p) == 0:
			return 0, nil
		}
		if n, err := c.in.read(p); n > 0 || err != nil {
			return n, err
		}
		c.cond.Wait()
	}
}

func (c *conn) Write(p []byte) (n int, err error) {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	for {
		switch {
		case c.closed:
			return n, net.ErrClosed
		case c.wr.passed():
			return n, os.ErrDeadlineExceeded
		}
		sent, err := c.out.write(p[n:])
		n += sent
		if n == len(p) || err != nil {
			return n, err
		}
		c.cond.Wait()
	}
}

// CloseWrite ends the writing half.
func (c *conn) CloseWrite() error {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	if c.closed {
		return net.ErrClosed
	}
	c.out.end()
	return nil
}

// SetLinger makes Close reset the connection if sec is 0.
func (c *conn) SetLinger(sec int) error {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	c.linger = sec
	return nil
}

// Reset closes the connection with a reset.
func (c *conn) Reset() error {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	if c.closed {
		return net.ErrClosed
	}
	c.reset()
	return nil
}

func (c *conn) Close() error {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	switch {
	case c.closed:
		return net.ErrClosed
	case c.linger == 0:
		c.reset()
		return nil
	}
	c.out.end()
	c.in.abandon()
	c.close()
	return nil
}

func (c *conn) reset() {
	c.out.reset()
	c.in.reset()
	c.close()
}

// close ends the calls in progress.
func (c *conn) close() {
	c.closed = true
	c.rd.set(time.Time{}, nil)
	c.wr.set(time.Time{}, nil)
	c.cond.Broadcast()
	delete(c.net.conns, c)
}

func (c *conn) LocalAddr() net.Addr  { return net.TCPAddrFromAddrPort(c.local) }
func (c *conn) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(c.remote) }

func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

func (c *conn) SetReadDeadline(t time.Time) error { return c.setDeadline(&c.rd, t) }

func (c *conn) SetWriteDeadline(t time.Time) error { return c.setDeadline(&c.wr, t) }

func (c *conn) setDeadline(d *deadline, t time.Time) error {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	if c.closed {
		return net.ErrClosed
	}
	d.set(t, &c.cond)
	return nil
}
