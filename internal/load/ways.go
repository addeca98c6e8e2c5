package load

import (
	"net/netip"

	"github.com/dnsq/dnsq/resolver"
)

// ways are the servers and the local addresses that one shard sends from and to, and the order in which it does. Each way has so many sockets.
type ways struct {
	all     []resolver.Server
	perWay  [][]resolver.Server // each of all, as Query.Servers wants it
	targets []uint16            // of each of all: the number of its server in the plan
	sockets int

	order []uint16 // of servers
	turn  int      // in order
	from  []int    // of each server: the address whose turn it is
	each  int      // addresses that a server is sent to from
}

// newWays deals the plan's addresses to shard i.
func newWays(p *Plan, i int) *ways {
	local := p.shardSources(i)
	w := &ways{order: weighted(p.Servers), from: make([]int, len(p.Servers)), each: len(local)}
	w.sockets = (p.Clients + len(local) - 1) / len(local)
	for target, s := range p.Servers {
		for _, from := range local {
			w.all = append(w.all, resolver.Server{Addr: s.Addr, Local: from})
			w.targets = append(w.targets, uint16(target))
		}
	}
	for i := range w.all {
		w.perWay = append(w.perWay, w.all[i:i+1:i+1])
	}
	return w
}

// shardSources are the addresses of shard i: as many as it has clients, other ones than those of other shards as far as there are enough.
func (p *Plan) shardSources(i int) []netip.Addr {
	n := len(p.Sources)
	if n == 0 {
		return []netip.Addr{{}}
	}
	var list []netip.Addr
	for k := range min(p.Clients, n) {
		list = append(list, p.Sources[(i*p.Clients+k)%n])
	}
	return list
}

// next is the number of the way that the next query goes.
func (w *ways) next() int {
	if len(w.all) == 1 {
		return 0
	}
	server := int(w.order[w.turn])
	if w.turn++; w.turn == len(w.order) {
		w.turn = 0
	}
	from := w.from[server]
	if w.from[server]++; w.from[server] == w.each {
		w.from[server] = 0
	}
	return server*w.each + from
}

// weighted is a round in which each server has as many turns as it weighs, spread evenly: each time it is the turn of the one that is furthest
// behind its share.
func weighted(servers []Server) (order []uint16) {
	total := 0
	for _, s := range servers {
		total += s.Weight
	}
	credit := make([]int, len(servers))
	for range total {
		best := 0
		for i, s := range servers {
			credit[i] += s.Weight
			if credit[i] > credit[best] {
				best = i
			}
		}
		credit[best] -= total
		order = append(order, uint16(best))
	}
	return order
}
