package load

import (
	"slices"

	"github.com/dnsq/dnsq/resolver"
)

// withDefaults is a copy of p with every default filled in.
func (p *Plan) withDefaults() *Plan {
	d := *p
	d.Servers = slices.Clone(p.Servers)
	for i := range d.Servers {
		def(&d.Servers[i].Weight, 1)
	}
	def(&d.Transport, resolver.UDP)
	def(&d.Clients, DefaultClients)
	def(&d.Threads, 1)
	def(&d.Speed, 1)
	def(&d.Timeout, DefaultTimeout)
	def(&d.Lag, DefaultLag)
	def(&d.RecvBuffer, DefaultRecvBuffer)
	if !d.Open() {
		def(&d.Outstanding, DefaultOutstanding)
	}
	return &d
}

// def sets *p where it is zero.
func def[T comparable](p *T, value T) {
	var zero T
	if *p == zero {
		*p = value
	}
}
