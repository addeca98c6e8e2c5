package main

import (
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/dnsq/dnsq/internal/load"
	"github.com/dnsq/dnsq/resolver"
)

// defaultLength is that of a run of queries that have no end, where none is given.
const defaultLength = 10 * time.Second

// plan is the run that the flags ask for, against servers.
func (f *loadFlags) plan(e *environment, servers []load.Server) (*load.Plan, error) {
	p := &load.Plan{
		Servers: servers, Clients: f.clients, Threads: f.threads, Speed: f.speed,
		Outstanding: f.outstanding, PerClient: f.perClient, PerConnection: f.perConn,
		Duration: time.Duration(f.duration), Count: f.count, Warmup: time.Duration(f.warmup), Timeout: time.Duration(f.timeout),
		Seed: f.seed, Lag: time.Duration(f.lag), Stamps: f.stamps, RecvBuffer: int(f.buffer),
	}
	if err := f.laws(p); err != nil {
		return nil, err
	}
	if err := f.ways(p); err != nil {
		return nil, err
	}
	if f.generators == nil && f.data == nil && f.duration == 0 && f.count == 0 && f.rounds == 0 {
		if _, limited := p.Rate.Length(); !limited {
			p.Duration = defaultLength
		}
	}
	if f.rounds == 0 && f.duration == 0 && f.count == 0 && len(f.data) > 0 {
		f.rounds = 1
	}
	var err error
	if p.Set, err = f.set(e, f.rounds); err != nil {
		return nil, err
	}
	if err := p.Check(); err != nil {
		return nil, usageError{err}
	}
	return p, nil
}

// laws are those of when queries leave.
func (f *loadFlags) laws(p *load.Plan) (err error) {
	if f.rate != "" {
		if p.Rate, err = load.ParseProfile(f.rate); err != nil {
			return usagef("-Q: %v", err)
		}
	}
	if f.arrival != "" {
		if p.Arrival, err = load.ParseArrival(f.arrival); err != nil {
			return usagef("--arrival: %v", err)
		}
	}
	return nil
}

// ways are those of how queries leave.
func (f *loadFlags) ways(p *load.Plan) (err error) {
	switch f.transport {
	case "udp":
		p.Transport = resolver.UDP
	case "tcp":
		p.Transport = resolver.TCP
	default:
		return usagef("-m %s: there is udp and tcp", f.transport)
	}
	if p.Clients == 0 && p.Transport == resolver.TCP {
		p.Clients = 1
	}
	if f.sources != "" {
		if p.Sources, err = load.ParseSources(f.sources); err != nil {
			return usagef("-a: %v", err)
		}
	}
	p.Backend, p.Poller, err = mechanismsNamed(f.backend, f.poller)
	return err
}

// targets reads the servers. The one called self is started, once.
func (f *loadFlags) targets(s *session, given []string) (list []load.Server, err error) {
	for _, text := range given {
		name, weight, weighted := strings.Cut(text, "*")
		server := load.Server{Weight: 1}
		if weighted {
			if server.Weight, err = strconv.Atoi(weight); err != nil || server.Weight < 1 {
				return nil, usagef("-s %s: the weight behind * is not a number above 0", text)
			}
		}
		if server.Addr, err = s.target(strings.TrimPrefix(name, "@"), f.port); err != nil {
			return nil, err
		}
		list = append(list, server)
	}
	return list, nil
}

// target is one server's address; "self" is the responder in a process of its own, which does not take the client's processor time.
func (s *session) target(name string, port uint16) (netip.AddrPort, error) {
	if name == "self" {
		return s.startOther()
	}
	server, err := s.server(name, port)
	return server.Addr, err
}
