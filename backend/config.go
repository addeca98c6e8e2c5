package backend

import (
	"fmt"
	"net/netip"
)

// ipv6 says which family the socket is of.
func (c *Config) ipv6() bool {
	addr := c.Remote.Addr()
	if !addr.IsValid() {
		addr = c.Local.Addr()
	}
	return addr.Unmap().Is6()
}

// network is the name of the socket's network, as package net has them: proto and the version of IP.
func (c *Config) network(proto string) string {
	if c.ipv6() {
		return proto + "6"
	}
	return proto + "4"
}

// normalize checks c and fills in the defaults.
func (c *Config) normalize() error {
	if c.Batch == 0 {
		c.Batch = DefaultBatch
	}
	if c.Batch < 1 || c.Batch > MaxBatch {
		return fmt.Errorf("batch of %d datagrams: 1 to %d are possible", c.Batch, MaxBatch)
	}
	if c.Local.IsValid() && c.Remote.IsValid() && c.Local.Addr().Unmap().Is6() != c.Remote.Addr().Unmap().Is6() {
		return fmt.Errorf("local address %v and remote address %v are of different families", c.Local, c.Remote)
	}
	if err := c.BusyPoll.check(); err != nil {
		return err
	}
	if c.Arena == nil {
		c.Arena = NewArena()
	}
	return nil
}

// bound says whether the caller asks for a local address or port; connecting a socket gives it one too.
func (c *Config) bound() bool {
	return c.Local.IsValid() && (c.Local.Port() != 0 || !c.Local.Addr().IsUnspecified())
}

// wildcard is any address and port of the socket's family.
func (c *Config) wildcard() netip.AddrPort {
	if c.ipv6() {
		return netip.AddrPortFrom(netip.IPv6Unspecified(), 0)
	}
	return netip.AddrPortFrom(netip.IPv4Unspecified(), 0)
}
