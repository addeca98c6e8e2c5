package main

import (
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/resolver"
)

// A recvSide is one engine that asks, run after run.
type recvSide struct {
	cell   recvCell
	client client
	names  names
	trips  trips
	rate   float64 // queries a second
	lost   uint64  // tries without a reply
}

// recvTimeout is short, for a datagram lost on this machine should not take the time of a run.
const recvTimeout = 250 * time.Millisecond

// onePort keeps an engine to one socket, so that all replies wait in one queue.
func onePort() resolver.PortPolicy {
	return resolver.PortPolicy{Loopback: 1, Pool: 1, Fresh: -1, Queries: 1 << 30, Age: 24 * time.Hour}
}

// newRecvSide opens c's engine. Watch, if not nil, replaces its backend.
func newRecvSide(c recvCell, server netip.AddrPort, watch func(backend.Backend) backend.Backend) (*recvSide, error) {
	b, p, err := c.mechanisms()
	if err != nil {
		return nil, err
	}
	if watch != nil {
		b = watch(b)
	}
	cfg := resolver.Config{
		Servers: []resolver.Server{{Addr: server}}, Timeout: recvTimeout, Tries: 8, Ports: onePort(),
		Backend: b, Poller: p, Socket: backend.Config{Batch: c.Buffers},
	}
	s := &recvSide{cell: c, names: newNames(1 << 14), trips: trips{hist: newTrips()}}
	s.client, err = newEngineClient(cfg, c.Outstanding)
	return s, err
}

func (s *recvSide) close() error { return s.client.close() }

// ask makes n queries, with some before and behind them, and returns what they took.
func (s *recvSide) ask(n int) (resources, error) {
	m := &measurement{}
	m.work = work{names: s.names, warm: max(s.cell.Outstanding, 2), count: n, tail: s.cell.Outstanding, single: true, trips: s.trips}
	m.work.half, m.work.begin, m.work.finish = func() {}, m.begin, m.finish
	if err := m.run(s.client, time.Minute); err != nil {
		return resources{}, err
	}
	used := m.used()
	s.rate = float64(used.ended) / max(float64(used.at)/1e9, 1e-9)
	s.lost += used.stats.Timeouts
	return used, nil
}

// Queries that a rate is learnt from, and the least of a run.
const (
	firstRecvQueries = 300
	leastRecvQueries = 20
)

// warm asks until receives follow the load, and learns the rate.
func (s *recvSide) warm() error {
	_, err := s.ask(max(firstRecvQueries, 2*s.cell.Outstanding))
	return err
}

// queries is how many fit a length of time.
func (s *recvSide) queries(d time.Duration) int {
	return min(max(int(s.rate*d.Seconds()), leastRecvQueries), maxBenchQueries)
}

// recvCosts is what a query took, on average.
type recvCosts struct {
	Queries  int     `json:"queries"`
	User     float64 `json:"user_ns"`
	System   float64 `json:"system_ns"`
	Total    float64 `json:"total_ns"`
	Syscalls float64 `json:"syscalls"`
	Empty    float64 `json:"empty_receives"`
}

func costsOf(u resources) recvCosts {
	n := float64(max(u.ended, 1))
	return recvCosts{
		Queries: int(u.ended), User: float64(u.user) / n, System: float64(u.sys) / n, Total: float64(u.user+u.sys) / n,
		Syscalls: float64(u.stats.Socket.Syscalls+u.stats.Loop.Syscalls) / n, Empty: float64(u.stats.Socket.EmptyReceives) / n,
	}
}
