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
		// A train that is dropped would count once.
		Socket: backend.Config{RecvBuffer: p.RecvBuffer, Stamps: p.Stamps, NoTrains: true},
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
