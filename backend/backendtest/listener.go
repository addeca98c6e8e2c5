package backendtest

import (
	"net"
	"net/netip"
	"sync"
)

// Listen returns the server's side of a TCP address. Port 0 takes any that is free. The connections it accepts have, like a *net.TCPConn,
// the methods CloseWrite and SetLinger, and Reset, which closes with a reset.
func (n *Network) Listen(addr netip.AddrPort) (net.Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, net.ErrClosed
	}
	addr, err := n.bind(addr, false, func(ap netip.AddrPort) bool { return n.listeners[ap] != nil })
	if err != nil {
		return nil, err
	}
	l := &listener{net: n, addr: addr}
	l.cond.L = &n.mu
	n.listeners[addr] = l
	return l, nil
}

// listener has no bound on its backlog. Under the network's lock.
type listener struct {
	net     *Network
	addr    netip.AddrPort
	cond    sync.Cond
	backlog []*conn
	closed  bool
}

func (l *listener) add(c *conn) {
	l.backlog = append(l.backlog, c)
	l.cond.Signal()
}

func (l *listener) Accept() (net.Conn, error) {
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	for len(l.backlog) == 0 && !l.closed {
		l.cond.Wait()
	}
	if l.closed {
		return nil, net.ErrClosed
	}
	c := l.backlog[0]
	l.backlog = l.backlog[1:]
	return c, nil
}

func (l *listener) Addr() net.Addr { return net.TCPAddrFromAddrPort(l.addr) }

func (l *listener) Close() error {
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	if l.closed {
		return net.ErrClosed
	}
	l.close()
	return nil
}

// close resets who was not accepted.
func (l *listener) close() {
	l.closed = true
	delete(l.net.listeners, l.addr)
	l.cond.Broadcast()
	for _, c := range l.backlog {
		c.reset()
	}
	l.backlog = nil
}
