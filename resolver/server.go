package resolver

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// DefaultPort is the port of a server given without one.
const DefaultPort = 53

// Server is an upstream address to ask.
type Server struct {
	Addr netip.AddrPort
	// Local is the address that queries to it leave from, which this machine must have; zero: Config.Socket.Local, or else the system's choice. An
	// engine's state, sockets and connections are those of the pair: the same Addr with another Local is another server.
	Local netip.Addr
}

// String returns the address and port.
func (s Server) String() string { return s.Addr.String() }

func (s Server) valid() error {
	if !s.Addr.IsValid() || s.Addr.Port() == 0 {
		return fmt.Errorf("server %v is not an address and a port", s.Addr)
	}
	if s.Local.IsValid() && s.Local.Unmap().Is4() != s.Addr.Addr().Unmap().Is4() {
		return fmt.Errorf("server %v cannot be asked from the local address %v, which is of the other family", s.Addr, s.Local)
	}
	return nil
}

// ParseServer reads a server given as ip, ip:port, ip#port, [ip6]:port or [ip6%zone]:port. The error names the input and what would be
// right. A host name is not resolved.
func ParseServer(s string) (Server, error) {
	bad := func(why string) (Server, error) {
		return Server{}, fmt.Errorf("server %s: %s; write ip, ip:port, ip#port or [ip6%%zone]:port", strconv.Quote(s), why)
	}
	host, port, err := splitServer(s)
	if err != nil {
		return bad(err.Error())
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return bad("not an IP address")
	}
	n := uint64(DefaultPort)
	if port != "" {
		if n, err = strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return bad("the port is not a number from 1 to 65535")
		}
	}
	return Server{Addr: netip.AddrPortFrom(addr.Unmap(), uint16(n))}, nil
}

// splitServer cuts the port off; it is "" where there is none.
func splitServer(s string) (host, port string, err error) {
	if rest, ok := strings.CutPrefix(s, "["); ok {
		host, rest, ok = strings.Cut(rest, "]")
		if !ok {
			return "", "", errors.New("no closing bracket")
		}
		if rest == "" {
			return host, "", nil
		}
		if rest[0] != ':' && rest[0] != '#' || len(rest) == 1 {
			return "", "", errors.New("no port behind the bracket")
		}
		return host, rest[1:], nil
	}
	sep := strings.IndexByte(s, '#')
	if sep < 0 && strings.Count(s, ":") == 1 {
		sep = strings.IndexByte(s, ':')
	}
	if sep < 0 {
		return s, "", nil
	}
	if sep == len(s)-1 {
		return "", "", errors.New("no port behind the separator")
	}
	return s[:sep], s[sep+1:], nil
}
