package resolver

import (
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

const (
	// downTime is how long a server that failed is asked last. A recovered one is used again within it.
	downTime = Time(10 * time.Second)
	// maxServers is the number of servers whose state an engine keeps before it forgets those that are idle.
	maxServers = 4096
)

// server is the engine's state of one upstream address, asked from one of this machine's.
type server struct {
	e         *Engine
	addr      netip.AddrPort
	local     netip.Addr   // zero: Config.Socket.Local
	users     int          // queries that have it as theirs
	udp       int          // of them, those on the wire over UDP
	queue     queue        // UDP attempts to be sent
	active    bool         // is in e.active
	blocked   *udpSocket   // whose kernel queue is full
	pool      []*udpSocket // nil where not opened yet
	fresh     map[*udpSocket]struct{}
	streams   streams
	downUntil Time
	rate      limiter
	timer     ioevent.Timer // when rate allows the next send
	past      backend.Stats // of sockets closed since
}

// state returns what is known of at, or begins to know it.
func (e *Engine) state(at Server) *server {
	if s := e.servers[at]; s != nil {
		return s
	}
	if len(e.servers) >= e.sweepAt {
		e.sweep()
	}
	s := &server{e: e, addr: at.Addr, local: at.Local, rate: newLimiter(e.cfg.Rate), queue: queue{name: inServer}, streams: streams{queue: queue{name: inStreams}}}
	s.timer.Init(s)
	s.pool = make([]*udpSocket, e.cfg.Ports.size(at.Addr.Addr()))
	e.servers[at] = s
	return s
}

// reach returns Config.Socket for one that asks s.
func (s *server) reach() backend.Config {
	c := s.e.cfg.Socket
	c.Remote = s.addr
	if s.local.IsValid() {
		c.Local = netip.AddrPortFrom(s.local, c.Local.Port())
	}
	return c
}

// sweep forgets the servers that only single queries named and that no query uses now.
func (e *Engine) sweep() {
	for _, s := range e.known {
		s.users++
	}
	for at, s := range e.servers {
		if s.users == 0 {
			s.close()
			s.addStats(&e.stats.Socket)
			delete(e.servers, at)
		}
	}
	for _, s := range e.known {
		s.users--
	}
	e.sweepAt = max(maxServers, 2*len(e.servers))
}

// assign makes s the server that p asks, or nobody.
func (p *pending) assign(s *server, index int) {
	if p.server != nil {
		p.server.users--
	}
	if s != nil {
		s.users++
	}
	p.server, p.index = s, uint16(index)
}

// enqueue queues p to be sent over UDP with the next flush.
func (s *server) enqueue(p *pending) {
	s.queue.pushBack(p)
	s.wake()
}

// wake puts s among those that the next flush visits.
func (s *server) wake() {
	if !s.active {
		s.active = true
		s.e.active = append(s.e.active, s)
	}
}

// Expire runs when the rate allows the next send.
func (s *server) Expire(Time) { s.wake() }

// down and up remember how the last attempt went.
func (s *server) down(now Time) { s.downUntil = now + downTime }
func (s *server) up()           { s.downUntil = 0 }

// appendPending appends the queries that wait for s or its replies. One that waits over UDP and TCP appears once.
func (s *server) appendPending(all []*pending) []*pending {
	all = s.queue.appendAll(all)
	for u := range s.sockets {
		all = u.table.appendAll(all)
	}
	all = s.streams.queue.appendAll(all)
	for _, c := range s.streams.all {
		for _, p := range c.table.appendAll(nil) {
			if p.sock == nil {
				all = append(all, p)
			}
		}
	}
	return all
}

// sockets yields the open UDP sockets.
func (s *server) sockets(yield func(*udpSocket) bool) {
	for _, u := range s.pool {
		if u != nil && !yield(u) {
			return
		}
	}
	for u := range s.fresh {
		if !yield(u) {
			return
		}
	}
}

func (s *server) addStats(sum *backend.Stats) {
	addStats(sum, s.past)
	for u := range s.sockets {
		addStats(sum, u.sock.Stats())
	}
}

func addStats(sum *backend.Stats, s backend.Stats) {
	sum.Syscalls += s.Syscalls
	sum.EmptyReceives += s.EmptyReceives
	sum.Dropped += s.Dropped
	sum.Trains = sum.Trains || s.Trains
	sum.RecvBuffer, sum.SendBuffer = max(sum.RecvBuffer, s.RecvBuffer), max(sum.SendBuffer, s.SendBuffer)
}

// close closes the sockets of a server that no query uses.
func (s *server) close() {
	for u := range s.sockets {
		u.close()
	}
	for len(s.streams.all) > 0 {
		s.streams.all[0].close()
	}
	s.e.loop.Stop(&s.timer)
}
