package lab

import "net/netip"

// responder is a process of this program that answers queries.
type responder struct {
	*Process
	addr netip.AddrPort
}

// startResponder starts "reflect" on a free port of loopback.
func (l *Lab) startResponder() (*responder, error) {
	p, err := l.Start("reflect", "--listen", "127.0.0.1:0", "--until-eof")
	if err != nil {
		return nil, err
	}
	addr, err := p.Addr()
	if err != nil {
		_ = p.Stop()
		return nil, err
	}
	return &responder{p, addr}, nil
}
