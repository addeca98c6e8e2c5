package responder

import (
	"maps"
	"slices"
	"strings"

	"github.com/miekg/dns"
)

// records holds the RRsets by owner, in lower case, and type.
type records map[string]map[uint16][]dns.RR

func (s records) add(rr dns.RR) {
	name := strings.ToLower(rr.Header().Name)
	for ; s[name] == nil; name = parent(name) {
		s[name] = map[uint16][]dns.RR{}
		if rr.Header().Rrtype == dns.TypeSOA {
			break // nothing above the apex is ours
		}
	}
	name = strings.ToLower(rr.Header().Name)
	s[name][rr.Header().Rrtype] = append(s[name][rr.Header().Rrtype], rr)
}

func parent(name string) string {
	i, end := dns.NextLabel(name, 0)
	if end {
		return "."
	}
	return name[i:]
}

// types returns every type that some name has.
func (s records) types() []uint16 {
	seen := map[uint16]bool{}
	for _, sets := range s {
		for t := range sets {
			seen[t] = true
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// node packs the replies of a name: of its own types, or of all types where it is an alias, whose target may have them.
func (s records) node(name string, types []uint16) (*node, error) {
	n := &node{replies: map[uint16]*reply{}}
	var err error
	pack := func(m message, question string) *reply {
		r, e := m.pack(question)
		err = firstError(err, e)
		return r
	}
	for _, t := range types {
		if m := s.answer(name, t); len(m.answer) > 0 {
			n.replies[t] = pack(m, name)
		}
	}
	var all message
	for _, t := range slices.Sorted(maps.Keys(s[name])) {
		all.answer = append(all.answer, s[name][t]...)
	}
	if len(all.answer) > 0 {
		n.replies[dns.TypeANY] = pack(all, name)
	}
	n.other = pack(s.answer(name, dns.TypeNone), name)
	n.nxdomain = pack(message{rcode: dns.RcodeNameError, authority: s.soa(name)}, "") // asked about other names than this
	return n, err
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// answer follows aliases from name to the records of type t, as far as they are served here.
func (s records) answer(name string, t uint16) message {
	var m message
	for range len(s) { // an alias loop ends here at the latest
		sets, ok := s[name]
		if !ok && len(m.answer) > 0 && s.soa(name) == nil {
			return m // the chain leaves the zones
		}
		if set := sets[t]; len(set) > 0 {
			m.answer = append(m.answer, set...)
			m.additional = s.addresses(set)
			return m
		}
		alias := sets[dns.TypeCNAME]
		if len(alias) == 0 {
			if !ok {
				m.rcode = dns.RcodeNameError
			}
			m.authority = s.soa(name)
			return m
		}
		if slices.Contains(m.answer, alias[0]) {
			return m
		}
		m.answer = append(m.answer, alias[0])
		name = strings.ToLower(alias[0].(*dns.CNAME).Target)
	}
	return m
}

// soa returns the SOA record of the zone that name belongs to, with the TTL of denials (RFC 2308 3).
func (s records) soa(name string) []dns.RR {
	for ; name != "."; name = parent(name) {
		if set := s[name][dns.TypeSOA]; len(set) > 0 {
			soa := dns.Copy(set[0]).(*dns.SOA)
			soa.Hdr.Ttl = min(soa.Hdr.Ttl, soa.Minttl)
			return []dns.RR{soa}
		}
	}
	return nil
}

// addresses returns those of the hosts that set points to.
func (s records) addresses(set []dns.RR) []dns.RR {
	var rrs []dns.RR
	for _, rr := range set {
		var host string
		switch rr := rr.(type) {
		case *dns.NS:
			host = rr.Ns
		case *dns.MX:
			host = rr.Mx
		case *dns.SRV:
			host = rr.Target
		}
		sets := s[strings.ToLower(host)]
		rrs = append(append(rrs, sets[dns.TypeA]...), sets[dns.TypeAAAA]...)
	}
	return rrs
}
