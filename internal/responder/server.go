package responder

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
)

// A Server answers until it is closed.
type Server struct {
	cfg    Config
	zone   *zone
	gate   *gate // nil: all queries fare alike
	addrs  []netip.AddrPort
	shards []*shard
	tcp    tcpServer

	wg     sync.WaitGroup
	done   chan struct{} // closed by Close
	failed chan error
	mu     sync.Mutex // of Close
	asking sync.Mutex // of Stats
}

// Start serves the built-in zones on addr, without faults.
func Start(addr netip.AddrPort) (*Server, error) { return Open(Config{Listen: []netip.AddrPort{addr}}) }

// Open listens and answers, on goroutines of its own, until Close.
func Open(c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("responder: %w", err)
	}
	z, err := c.load()
	if err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		s := &Server{cfg: c, zone: z, gate: newGate(&c.Faults), done: make(chan struct{}), failed: make(chan error, 1)}
		err := s.listen()
		if err == nil {
			return s, nil
		}
		_ = s.Close()
		if try == maxTries || !anyPort(c.Listen) {
			return nil, err
		}
	}
}

// maxTries is how often the system picks again a port for one transport that somebody holds for the other.
const maxTries = 16

func anyPort(addrs []netip.AddrPort) bool {
	return slices.ContainsFunc(addrs, func(a netip.AddrPort) bool { return a.Port() == 0 })
}

// listen binds every socket. Later ones have the ports of the first.
func (s *Server) listen() (err error) {
	s.addrs = slices.Clone(s.cfg.Listen)
	s.tcp.init(s)
	if !s.cfg.NoTCP {
		if s.addrs, err = s.tcp.listen(s.addrs); err != nil {
			return err
		}
	}
	if !s.cfg.NoUDP {
		for range s.cfg.Threads {
			if err := s.startShard(); err != nil {
				return err
			}
		}
	}
	s.tcp.start()
	return nil
}

func (s *Server) startShard() error {
	sh, ready := newShard(s), make(chan error)
	s.wg.Go(func() { sh.run(s.addrs, ready) })
	if err := <-ready; err != nil {
		return err
	}
	s.shards = append(s.shards, sh)
	s.addrs = sh.addrs
	return nil
}

func (s *Server) answerer() answerer {
	return answerer{zone: s.zone, rcode: s.cfg.Rcode, truncate: s.cfg.Truncate}
}

// Addr is the first address.
func (s *Server) Addr() netip.AddrPort { return s.addrs[0] }

// Addrs are the addresses, in the order of Config.Listen.
func (s *Server) Addrs() []netip.AddrPort { return slices.Clone(s.addrs) }

// Failed tells why a thread gave up, which none should.
func (s *Server) Failed() <-chan error { return s.failed }

func (s *Server) fail(err error) {
	select {
	case s.failed <- err:
	default:
	}
}

// Close frees the ports, ends the connections and waits for the goroutines. Answers that are not due yet are not sent.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closing() {
		s.mu.Unlock()
		return net.ErrClosed
	}
	close(s.done)
	s.mu.Unlock()
	for _, sh := range s.shards {
		sh.loop.Wake()
	}
	err := s.tcp.close()
	s.wg.Wait()
	return errors.Join(err)
}

func (s *Server) closing() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}
