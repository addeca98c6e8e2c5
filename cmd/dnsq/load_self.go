package main

import (
	"fmt"
	"net/netip"

	"github.com/dnsq/dnsq/internal/bench/lab"
)

// startOther starts the responder in another process, on another processor than the client's where there are two, once.
func (s *session) startOther() (netip.AddrPort, error) {
	if s.lab == nil {
		s.lab = lab.New(lab.Options{}, s.program)
	}
	addr, err := s.lab.Responder()
	if err != nil {
		return addr, err
	}
	for _, note := range s.lab.Notes {
		fmt.Fprintf(s.stderr, "dnsq: %s\n", note)
	}
	s.lab.Notes = nil
	return addr, nil
}
