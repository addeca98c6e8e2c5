package resolver

import (
	"net/netip"
)

// DefaultPort is the port of a server given without one.
const DefaultPort = 53

// Server is an upstream address to ask.
type Server struct {
	Addr netip.AddrPort
}

func (s Server) String() string { return s.Addr.String() }
