package responder

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"sync"
	"time"
)

// A Server answers on one address over UDP and TCP until it is closed.
type Server struct {
	zone *zone
	udp  *net.UDPConn
	tcp  *net.TCPListener

	wg    sync.WaitGroup
	slots chan struct{} // one for each TCP connection
	mu    sync.Mutex
	conns map[net.Conn]bool // nil once closed
}

// Start listens on addr and answers there, on goroutines of its own, until Close. Port 0 is any port that is free for both transports.
func Start(addr netip.AddrPort) (*Server, error) {
	z, err := loadZone()
	if err != nil {
		return nil, fmt.Errorf("built-in zone: %w", err)
	}
	s := &Server{zone: z, slots: make(chan struct{}, maxConns), conns: map[net.Conn]bool{}}
	if err := s.listen(addr); err != nil {
		return nil, err
	}
	for range runtime.GOMAXPROCS(0) {
		s.wg.Go(s.serveUDP)
	}
	s.wg.Go(s.serveTCP)
	return s, nil
}

// listen binds both sockets. The system picks the UDP port, which somebody may hold for TCP: then it picks again, a bounded number of times.
func (s *Server) listen(addr netip.AddrPort) error {
	for try := 0; ; try++ {
		udp, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(addr))
		if err != nil {
			return err
		}
		tcp, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(netip.AddrPortFrom(addr.Addr(), portOf(udp))))
		if err == nil {
			s.udp, s.tcp = udp, tcp
			udp.SetReadBuffer(4 << 20) // a wish: a burst of a thousand queries needs about 1 MiB
			return nil
		}
		udp.Close()
		if addr.Port() != 0 || try == 16 {
			return err
		}
	}
}

func portOf(c *net.UDPConn) uint16 { return c.LocalAddr().(*net.UDPAddr).AddrPort().Port() }

// Addr is the address of both sockets.
func (s *Server) Addr() netip.AddrPort {
	a := s.udp.LocalAddr().(*net.UDPAddr).AddrPort()
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

// Close frees the port, ends the connections and waits for the goroutines.
func (s *Server) Close() error {
	s.mu.Lock()
	conns := s.conns
	s.conns = nil
	s.mu.Unlock()
	if conns == nil {
		return net.ErrClosed
	}
	err := errors.Join(s.udp.Close(), s.tcp.Close())
	for c := range conns {
		c.Close()
	}
	s.wg.Wait()
	return err
}

func (s *Server) closed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns == nil
}

// serveUDP is run by several goroutines on the same socket.
func (s *Server) serveUDP() {
	in, out := make([]byte, 65535), make([]byte, 0, 65535)
	for {
		n, from, err := s.udp.ReadFromUDPAddrPort(in)
		if err != nil {
			if s.closed() {
				return
			}
			time.Sleep(time.Millisecond) // some systems report clients that are gone: go on, but do not spin
			continue
		}
		if reply := s.zone.appendReply(out, in[:n], true); len(reply) > 0 {
			s.udp.WriteToUDPAddrPort(reply, from) // UDP may lose replies
		}
	}
}
