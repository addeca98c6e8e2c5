package dnstest

import (
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
)

// A Server answers queries as its Handler says. Its methods may be called from
// any goroutine.
type Server struct {
	tb      testing.TB
	handler atomic.Pointer[Handler]
	greet   atomic.Pointer[func(*Writer)]
	pc      net.PacketConn
	ln      net.Listener // nil: no TCP
	ledger  ledger

	done chan struct{}
	wg   sync.WaitGroup

	mu     sync.Mutex
	closed bool
	open   map[net.Conn]struct{} // connections and further sockets
}

// Start starts a server on a port of 127.0.0.1, over UDP and, see Streams, TCP.
// It is closed when the test ends.
func Start(tb testing.TB, h Handler) *Server {
	tb.Helper()
	return StartAt(tb, netip.MustParseAddrPort("127.0.0.1:0"), h)
}

// StartAt starts a server at an address of this machine; port 0 is any port
// that is free over UDP and over TCP.
func StartAt(tb testing.TB, at netip.AddrPort, h Handler) *Server {
	tb.Helper()
	pc, ln, err := listen(at)
	if err != nil {
		tb.Fatalf("dnstest: %v", err)
	}
	return StartOn(tb, pc, ln, h)
}

// listen opens both transports on one port. A port free over UDP may be taken
// over TCP: then it tries another.
func listen(at netip.AddrPort) (net.PacketConn, net.Listener, error) {
	for try := 1; ; try++ {
		pc, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
		if err != nil {
			return nil, nil, err
		}
		if !Streams {
			return pc, nil, nil
		}
		ln, err := net.Listen("tcp", pc.LocalAddr().String())
		if err == nil {
			return pc, ln, nil
		}
		pc.Close()
		if at.Port() != 0 || try == 50 {
			return nil, nil, err
		}
	}
}

// StartOn starts a server on sockets that the caller opened, such as those of
// an in-memory network. The server closes them. With ln nil it has no TCP.
func StartOn(tb testing.TB, pc net.PacketConn, ln net.Listener, h Handler) *Server {
	tb.Helper()
	s := &Server{
		tb:   tb,
		pc:   pc,
		ln:   ln,
		done: make(chan struct{}),
		open: make(map[net.Conn]struct{}),
	}
	s.Handle(h)
	s.wg.Go(s.serveUDP)
	if ln != nil {
		s.wg.Go(s.serveTCP)
	}
	tb.Cleanup(s.Close)
	return s
}

// Addr is where the server listens.
func (s *Server) Addr() netip.AddrPort { return addrPort(s.pc.LocalAddr()) }

// Handle replaces the handler for the queries that come from now on.
func (s *Server) Handle(h Handler) { s.handler.Store(&h) }

// OnAccept has f called for each connection accepted from now on, before
// anything is read from it; (*Writer).Reset and (*Writer).Close fit.
func (s *Server) OnAccept(f func(*Writer)) { s.greet.Store(&f) }

// Close closes the sockets and all connections and waits for every goroutine of
// the server. A second Close does nothing.
func (s *Server) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	close(s.done)
	for c := range s.open {
		c.Close()
	}
	s.mu.Unlock()
	s.pc.Close()
	if s.ln != nil {
		s.ln.Close()
	}
	s.wg.Wait()
}

// CloseConns closes the connections that are open, as a server does that is
// restarted, and goes on.
func (s *Server) CloseConns() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		c.Close()
	}
}

// track enters c among what Close closes; false: the server is closed already.
func (s *Server) track(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.open[c] = struct{}{}
	}
	return !s.closed
}

func (s *Server) untrack(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
}
