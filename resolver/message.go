package resolver

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/dnsq/dnsq/internal/wire"
)

// maxQueryServers is how many servers one query may name.
const maxQueryServers = 1 << 16

// check reports what is wrong with q, as far as its name is not concerned.
func (q *Query) check(c *Config) error {
	if q.Done == nil {
		return errors.New("resolver: Query.Done is nil")
	}
	for i, s := range q.Servers {
		if err := s.valid(); err != nil {
			return fmt.Errorf("resolver: Query.Servers[%d]: %w", i, err)
		}
	}
	if len(q.Servers) > maxQueryServers {
		return fmt.Errorf("resolver: Query.Servers has %d servers; at most %d can be asked", len(q.Servers), maxQueryServers)
	}
	if len(q.Servers) == 0 && (q.Servers != nil || len(c.Servers) == 0) {
		return ErrNoServers
	}
	return nil
}

// prepare makes the message of q's first attempt.
func (p *pending) prepare(q *Query) error {
	if q.Raw != nil {
		return p.takeRaw(q)
	}
	p.edns, p.explicit = q.Flags&NoEDNS == 0, q.Flags&DNSSEC != 0
	return p.compose(q, !p.edns)
}

// rawQuestion checks that raw is a query whose question can be read, and returns its header.
func rawQuestion(raw []byte) (wire.Header, error) {
	h, ok := wire.PeekHeader(raw)
	if !ok || h.Response() || h.QD != 1 {
		return h, fmt.Errorf("resolver: Query.Raw (%d octets) is not a query with one question", len(raw))
	}
	if _, ok := wire.QuestionEnd(raw); !ok || len(raw) > 65535 {
		return h, fmt.Errorf("resolver: Query.Raw (%d octets) has no readable question, or is longer than a message may be", len(raw))
	}
	return h, nil
}

// takeRaw makes the caller's message the query's, and its question the one that errors name.
func (p *pending) takeRaw(q *Query) error {
	if _, err := rawQuestion(q.Raw); err != nil {
		return err
	}
	p.msg = append(p.msg, q.Raw...)
	if p.once() {
		p.edns = true // so that it is never composed anew
		return nil
	}
	p.edns, p.explicit = wire.QueryOPT(q.Raw)
	end, _ := wire.QuestionEnd(q.Raw)
	name, _ := wire.AppendNameText(nil, q.Raw, wire.HeaderLen)
	q.Question = Question{
		Name: string(name), Type: binary.BigEndian.Uint16(q.Raw[end-4:]), Class: binary.BigEndian.Uint16(q.Raw[end-2:]),
	}
	return nil
}

// compose writes the message, plain (without OPT) or not.
func (p *pending) compose(q *Query, plain bool) (err error) {
	p.plain = plain
	if q.Raw != nil {
		p.msg = append(p.msg[:0], q.Raw...)
		if plain && p.edns {
			p.msg, _ = wire.StripOPT(p.msg[:0], q.Raw)
		}
		return nil
	}
	o := wire.QueryOptions{
		RecursionDesired: q.Flags&NoRecurse == 0,
		AuthenticData:    q.Flags&AuthenticData != 0,
		CheckingDisabled: q.Flags&CheckingDisabled != 0,
		DNSSEC:           q.Flags&DNSSEC != 0,
	}
	if !plain {
		o.UDPSize = max(512, p.engine().cfg.UDPSize)
		if q.UDPSize != 0 {
			o.UDPSize = max(512, q.UDPSize)
		}
	}
	class := q.Class
	def(&class, 1)
	p.msg, err = wire.AppendQuery(p.msg[:0], q.Name, q.Type, class, o)
	return err
}
