package responder

import (
	"net/netip"
	"runtime"
	"sync/atomic"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

const (
	batchSize = 256  // datagrams a receive call
	slotSize  = 2048 // of a receive slot; the arena has room for longer queries
)

// A shard is a loop on a thread of its own, with a socket for each address.
type shard struct {
	server   *Server
	loop     *ioevent.Loop
	arena    *backend.Arena
	in       []backend.Datagram
	answerer answerer
	sockets  []*udpSocket
	addrs    []netip.AddrPort // of sockets
	pulse    *pulse           // nil: nobody has to know
	tally    tally
	counters counters

	ask   atomic.Bool // somebody wants to know dropped
	told  chan struct{}
	drops atomic.Uint64
}

func newShard(s *Server) *shard {
	return &shard{
		server: s, answerer: s.answerer(), arena: backend.NewArena(), in: newSlots(batchSize), told: make(chan struct{}, 1),
	}
}

func newSlots(n int) []backend.Datagram {
	octets, slots := make([]byte, n*slotSize), make([]backend.Datagram, n)
	for i := range slots {
		slots[i].Buf = octets[i*slotSize:][:slotSize:slotSize]
	}
	return slots
}

// run opens the sockets, tells ready whether that went well, and answers until the server is closed.
func (s *shard) run(addrs []netip.AddrPort, ready chan<- error) {
	runtime.LockOSThread() // a ring is filled by the thread that opened it
	defer runtime.UnlockOSThread()
	err := s.open(addrs)
	ready <- err
	if err == nil {
		if err := s.loop.Run(s.tick); err != nil {
			s.server.fail(err)
		}
	}
	s.close()
}

func (s *shard) open(addrs []netip.AddrPort) (err error) {
	if s.loop, err = ioevent.NewLoop(ioevent.Config{Mechanism: s.server.cfg.Poller}); err != nil {
		return err
	}
	if s.server.cfg.Limit > 0 {
		s.pulse = newPulse(s.loop)
	}
	for _, a := range addrs {
		if err := s.listen(a); err != nil {
			return err
		}
	}
	return nil
}

// listen opens a socket. Its kernel buffers are a wish: a smaller one is granted where the system refuses it.
func (s *shard) listen(addr netip.AddrPort) error {
	u := &udpSocket{shard: s}
	u.timer.Init(u)
	u.token = s.loop.Register(u)
	cfg := backend.Config{Local: addr, Batch: batchSize, Arena: s.arena, Notify: func() { s.loop.Notify(u.token) }}
	if s.server.cfg.Threads > 1 {
		cfg.Control = reusePort
	}
	var err error
	for _, size := range []int{16 << 20, 1 << 20, 0} {
		cfg.RecvBuffer, cfg.SendBuffer = size, size
		if u.sock, err = s.server.cfg.Backend.Open(cfg); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	u.out.sock, u.out.tally = u.sock, &s.tally
	bound := u.sock.LocalAddr()
	if !bound.IsValid() { // a system that does not say leaves what was asked for
		bound = addr
	}
	s.sockets, s.addrs = append(s.sockets, u), append(s.addrs, bound)
	u.watch()
	return nil
}

// awake returns the time, after the stall if there is one.
func (s *shard) awake() ioevent.Time {
	g := s.server.gate
	if g == nil {
		return s.loop.Now()
	}
	if g.pause(s.loop.Refresh(), s.server.done) {
		s.loop.Refresh()
	}
	return s.loop.Now()
}

func (s *shard) tick(ioevent.Time) (more bool) {
	if s.ask.Load() && s.ask.Swap(false) {
		s.tell()
	}
	if s.server.closing() {
		s.loop.Quit()
	}
	return false
}

// tell publishes what only the loop's goroutine may ask the sockets.
func (s *shard) tell() {
	var drops uint64
	for _, u := range s.sockets {
		drops += u.sock.Stats().Dropped
	}
	s.drops.Store(drops)
	select {
	case s.told <- struct{}{}:
	default:
	}
}

func (s *shard) close() {
	s.tell()
	for _, u := range s.sockets {
		u.close()
	}
	s.pulse.stop()
	s.counters.move(&s.tally)
	if s.loop != nil {
		s.loop.Close()
	}
}
