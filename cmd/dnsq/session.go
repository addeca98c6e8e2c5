package main

import (
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/responder"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// session holds what the queries of a run share.
type session struct {
	*environment
	resolver *resolver.Resolver
	settings settings // of resolver
	self     *responder.Server
	lab      *lab.Lab // has the responder in another process
}

// settings are those of a request that its resolver has.
type settings struct {
	backend, poller string
	timeout         time.Duration
	tries           int
}

func (s *session) close() {
	if s.resolver != nil {
		s.resolver.Close()
	}
	if s.self != nil {
		s.self.Close()
	}
	if s.lab != nil {
		_ = s.lab.Close() // it has done its work
	}
}

// resolverFor returns the session's resolver, a new one where r wants other settings than the request before.
func (s *session) resolverFor(r *request) (*resolver.Resolver, error) {
	want := settings{r.backend, r.poller, r.timeout, r.tries}
	if s.resolver != nil && s.settings == want {
		return s.resolver, nil
	}
	b, p, err := mechanismsNamed(r.backend, r.poller)
	if err != nil {
		return nil, err
	}
	res, err := resolver.New(resolver.Config{Backend: b, Poller: p, Timeout: r.timeout, Tries: r.tries, Shards: 1})
	if err != nil {
		return nil, err
	}
	if s.resolver != nil {
		s.resolver.Close()
	}
	s.resolver, s.settings = res, want
	return res, nil
}

// mechanismsNamed returns the backend and the poller of these names, "" for the best here.
func mechanismsNamed(backendName, pollerName string) (b backend.Backend, p ioevent.Mechanism, err error) {
	if b, err = backend.Named(backendName); err != nil {
		return b, p, usagef("--backend %s: %v", backendName, err)
	}
	if p, err = ioevent.Named(pollerName); err != nil {
		return b, p, usagef("--poller %s: %v", pollerName, err)
	}
	return b, p, nil
}

// servers returns the addresses to ask.
func (s *session) servers(r *request) ([]resolver.Server, error) {
	var all []resolver.Server
	for _, given := range r.servers {
		server, err := s.server(given, r.port)
		if err != nil {
			return nil, err
		}
		all = append(all, server)
	}
	if len(r.servers) == 0 {
		for _, a := range systemServers(s.resolvConf) {
			all = append(all, resolver.Server{Addr: netip.AddrPortFrom(a, r.port)})
		}
	}
	return ofFamily(all, r.family)
}

// server reads one address, and starts the responder for the one that is called self.
func (s *session) server(given string, port uint16) (resolver.Server, error) {
	if given == "self" {
		return s.startSelf()
	}
	if a, err := netip.ParseAddr(given); err == nil {
		return resolver.Server{Addr: netip.AddrPortFrom(a.Unmap(), port)}, nil
	}
	server, err := resolver.ParseServer(given)
	if err != nil {
		return server, usagef("%v", err)
	}
	return server, nil
}

func (s *session) startSelf() (resolver.Server, error) {
	if s.self == nil {
		self, err := responder.Start(netip.AddrPortFrom(loopback4(), 0))
		if err != nil {
			return resolver.Server{}, err
		}
		s.self = self
	}
	return resolver.Server{Addr: s.self.Addr()}, nil
}

func ofFamily(servers []resolver.Server, family int) ([]resolver.Server, error) {
	var left []resolver.Server
	for _, s := range servers {
		if family == 0 || s.Addr.Addr().Is4() == (family == 4) {
			left = append(left, s)
		}
	}
	if len(left) == 0 {
		return nil, usagef("-%d: none of the servers has such an address; name one with @", family)
	}
	return left, nil
}
