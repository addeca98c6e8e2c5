package responder

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxConns    = 256 // TCP connections at a time; more wait in the listener's queue
	idleTimeout = 10 * time.Second
)

// A tcpServer accepts connections, each of which has goroutines of its own.
type tcpServer struct {
	server    *Server
	listeners []*net.TCPListener
	counters  counters
	accepted  atomic.Uint64

	slots chan struct{} // one for each connection
	mu    sync.Mutex
	conns map[net.Conn]bool // nil once closed
}

func (t *tcpServer) init(s *Server) {
	t.server, t.slots, t.conns = s, make(chan struct{}, maxConns), map[net.Conn]bool{}
}

// listen returns the addresses with their ports.
func (t *tcpServer) listen(addrs []netip.AddrPort) (bound []netip.AddrPort, err error) {
	for _, a := range addrs {
		l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(a))
		if err != nil {
			return addrs, err
		}
		t.listeners = append(t.listeners, l)
		bound = append(bound, netip.AddrPortFrom(a.Addr().Unmap(), l.Addr().(*net.TCPAddr).AddrPort().Port()))
	}
	return bound, nil
}

func (t *tcpServer) start() {
	for _, l := range t.listeners {
		t.server.wg.Go(func() { t.serve(l) })
	}
}

func (t *tcpServer) serve(l *net.TCPListener) {
	for {
		t.slots <- struct{}{}
		c, err := l.Accept()
		if err != nil {
			<-t.slots
			if t.server.closing() {
				return
			}
			time.Sleep(10 * time.Millisecond) // out of descriptors, for instance: do not spin
			continue
		}
		if !t.track(c) {
			<-t.slots
			return
		}
		t.accepted.Add(1)
		t.server.wg.Go(func() {
			defer t.forget(c)
			newConn(t, c).serve()
		})
	}
}

// track notes c for close and reports false after it.
func (t *tcpServer) track(c net.Conn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conns == nil {
		c.Close()
		return false
	}
	t.conns[c] = true
	return true
}

func (t *tcpServer) forget(c net.Conn) {
	c.Close()
	t.mu.Lock()
	delete(t.conns, c)
	t.mu.Unlock()
	<-t.slots
}

func (t *tcpServer) close() (err error) {
	t.mu.Lock()
	conns := t.conns
	t.conns = nil
	t.mu.Unlock()
	for _, l := range t.listeners {
		err = errors.Join(err, l.Close())
	}
	for c := range conns {
		c.Close()
	}
	return err
}
