package load

import (
	"math"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/resolver"
)

// engine is what a shard needs of a resolver.Engine.
type engine interface {
	Submit(q *resolver.Query) error
	Turn(until Time) error
	Now() Time
	Stats() resolver.Stats
	Close() error
}

// openEngine makes the engine of s. Its sockets are never changed for others, and it sends to each server as much as the plan has.
func openEngine(s *shard) (engine, error) {
	p, ways := s.plan, s.ways
	cfg := resolver.Config{
		Servers: ways.all[:1], Timeout: p.Timeout, Tries: 1, MaxInFlight: s.window, IdleTimeout: math.MaxInt64 / 4,
		Ports:   resolver.PortPolicy{Loopback: ways.sockets, Pool: ways.sockets, Fresh: -1, Queries: math.MaxInt, Age: math.MaxInt64},
		TCP:     resolver.TCPPolicy{Conns: ways.sockets, Queries: p.PerConnection, Outstanding: min(p.PerClient, maxPerClient*3/4)},
		Backend: p.Backend, Poller: p.Poller, Stray: s.stray,
		Socket: backend.Config{RecvBuffer: p.RecvBuffer, Stamps: p.Stamps, NoTrains: s.crowded()},
	}
	if p.PerClient > 0 {
		cfg.MaxPerServer = p.PerClient * ways.sockets
	}
	e, err := resolver.NewEngine(cfg)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// answerRoom is what an answer takes of a receive queue, as Linux counts it: what the driver's page or a 1,500 octet frame does, and as much again.
const answerRoom = 4096

// crowded reports whether the answers to all that may be outstanding might not fit into the receive queue of one socket. If so datagrams are received one
// by one: a train that is dropped would count once, and the rest of it pass for the servers' losses. Where all have room none is dropped,
// and to receive what a server sends as trains costs a third.
func (s *shard) crowded() bool {
	if s.plan.Transport == resolver.TCP {
		return true
	}
	sock, err := s.plan.Backend.Open(backend.Config{RecvBuffer: s.plan.RecvBuffer, Notify: func() {}})
	if err != nil {
		return true
	}
	defer sock.Close()
	return s.window > sock.Stats().RecvBuffer/answerRoom
}

// capacity is how many queries a shard can have outstanding: the message IDs of its sockets, as far as memory is worth it.
func (p *Plan) capacity(ways *ways) int {
	each := min(maxPerClient*3/4, p.perClient()) // a random free ID is found at once where some are
	return min(each*ways.sockets*len(ways.all), maxOutstanding/p.Threads)
}

func (p *Plan) perClient() int {
	if p.PerClient == 0 {
		return maxPerClient
	}
	return p.PerClient
}
