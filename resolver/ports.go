package resolver

import (
	"net/netip"
)

// size is the number of pooled sockets to a server at addr.
func (p *PortPolicy) size(addr netip.Addr) int {
	if addr.IsLoopback() {
		return p.Loopback
	}
	return p.Pool
}

// single reports whether the next query to s gets a socket of its own.
func (s *server) single() bool {
	return !s.addr.Addr().IsLoopback() && len(s.fresh) < s.e.cfg.Ports.Fresh && s.udp < s.e.cfg.Ports.Fresh
}

// pick returns a socket for the next flush to s and how many queries may leave from it: one of the query's own, or one of the pool at random.
func (s *server) pick(now Time) (*udpSocket, int, error) {
	if s.single() {
		u, err := s.open(true, now)
		if err != nil {
			return nil, 0, err
		}
		if s.fresh == nil {
			s.fresh = make(map[*udpSocket]struct{})
		}
		s.fresh[u] = struct{}{}
		u.retired = true
		return u, 1, nil
	}
	i, err := s.e.ids.below(len(s.pool))
	if err != nil {
		return nil, 0, err
	}
	if s.pool[i] != nil && s.pool[i].old(now) {
		s.retire(i)
	}
	if s.pool[i] == nil {
		u, err := s.open(false, now)
		if err != nil {
			return s.any(err)
		}
		s.pool[i] = u
	}
	return s.withRoom(i)
}

// withRoom returns the socket i of the pool, or the next one that has IDs to give away.
func (s *server) withRoom(i int) (*udpSocket, int, error) {
	for range s.pool {
		if u := s.pool[i]; u != nil && u.table.n < maxIDs {
			return u, maxIDs - u.table.n, nil
		}
		i = (i + 1) % len(s.pool)
	}
	return nil, 0, errNoIDs
}

// any returns an open socket of the pool where err kept another from opening.
func (s *server) any(err error) (*udpSocket, int, error) {
	if u, n, _ := s.withRoom(0); u != nil {
		return u, n, nil
	}
	return nil, 0, err
}

// retire takes the socket i out of the pool. It is closed once nothing waits on it.
func (s *server) retire(i int) {
	u := s.pool[i]
	s.pool[i] = nil
	u.retired = true
	if s.fresh == nil {
		s.fresh = make(map[*udpSocket]struct{})
	}
	s.fresh[u] = struct{}{}
	u.closeIfDone()
}

// old reports whether u has been used enough for a port that a forger may have learnt.
func (u *udpSocket) old(now Time) bool {
	if u.server.addr.Addr().IsLoopback() {
		return false
	}
	p := &u.server.e.cfg.Ports
	return u.used >= p.Queries || now-u.born >= Time(p.Age)
}
