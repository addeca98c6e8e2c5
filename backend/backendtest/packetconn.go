package backendtest

import (
	"net"
	"net/netip"
	"os"
	"sync"
	"time"
)

// ListenPacket returns the server's side of a UDP address. Port 0 takes any that is free. ReadFrom's address is a *net.UDPAddr; WriteTo
// takes one, too.
func (n *Network) ListenPacket(addr netip.AddrPort) (net.PacketConn, error) {
	c := &packetConn{}
	c.buffer, c.cond.L = 1<<30, &n.mu
	c.arrived = func(bool) { c.cond.Broadcast() }
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.newPort(&c.port, addr); err != nil {
		return nil, err
	}
	return c, nil
}

type packetConn struct {
	port
	cond sync.Cond
	read deadline
}

func (c *packetConn) ReadFrom(p []byte) (int, net.Addr, error) {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	for len(c.queue) == 0 && !c.closed && !c.read.passed() {
		c.cond.Wait()
	}
	switch {
	case c.closed:
		return 0, nil, net.ErrClosed
	case len(c.queue) == 0:
		return 0, nil, os.ErrDeadlineExceeded
	}
	d := c.take()
	return copy(p, d.Data), net.UDPAddrFromAddrPort(d.Addr), nil
}

func (c *packetConn) WriteTo(p []byte, addr net.Addr) (int, error) {
	to, err := addrPortOf(addr)
	if err != nil {
		return 0, err
	}
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	if c.closed {
		return 0, net.ErrClosed
	}
	if err := c.send(p, to); err != nil {
		return 0, err
	}
	return len(p), nil
}

func addrPortOf(addr net.Addr) (netip.AddrPort, error) {
	if a, ok := addr.(*net.UDPAddr); ok {
		ap := a.AddrPort()
		return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port()), nil
	}
	return netip.ParseAddrPort(addr.String())
}

func (c *packetConn) LocalAddr() net.Addr { return net.UDPAddrFromAddrPort(c.addr) }

func (c *packetConn) Close() error {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	if c.closed {
		return net.ErrClosed
	}
	c.read.set(time.Time{}, nil)
	c.close()
	return nil
}

func (c *packetConn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }

func (c *packetConn) SetReadDeadline(t time.Time) error {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	if c.closed {
		return net.ErrClosed
	}
	c.read.set(t, &c.cond)
	return nil
}

// SetWriteDeadline does nothing: writes do not block.
func (c *packetConn) SetWriteDeadline(time.Time) error { return nil }

// A deadline ends a wait on a sync.Cond. Under the cond's lock.
type deadline struct {
	at    time.Time
	timer *time.Timer
}

// set replaces the deadline; the zero time is none.
func (d *deadline) set(at time.Time, c *sync.Cond) {
	if d.timer != nil {
		d.timer.Stop()
	}
	d.at, d.timer = at, nil
	if at.IsZero() {
		if c != nil {
			c.Broadcast()
		}
		return
	}
	d.timer = time.AfterFunc(time.Until(at), func() {
		c.L.Lock()
		defer c.L.Unlock()
		c.Broadcast()
	})
}

func (d *deadline) passed() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }
