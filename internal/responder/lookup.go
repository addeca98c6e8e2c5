package responder

import (
	"slices"
	"strings"

	"github.com/miekg/dns"
)

// answer follows aliases from name to the records of type t, as far as they are served here.
func (s records) answer(name string, t uint16) message {
	var m message
	for range len(s) { // an alias loop ends here at the latest
		if cut := s.cut(name); cut != "" && !(t == dns.TypeDS && name == cut) {
			return s.refer(m, cut)
		}
		sets, ok := s.at(name)
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
		if slices.ContainsFunc(m.answer, func(rr dns.RR) bool { return dns.IsDuplicate(rr, alias[0]) }) {
			return m
		}
		m.answer = append(m.answer, alias[0])
		name = strings.ToLower(alias[0].(*dns.CNAME).Target)
	}
	return m
}

// refer ends m with the name servers that know more (RFC 1034 4.3.2, 3b). It is not authoritative, unless an alias led here.
func (s records) refer(m message, cut string) message {
	m.referral = len(m.answer) == 0
	m.authority = s[cut][dns.TypeNS]
	m.additional = s.addresses(m.authority)
	return m
}

// soa returns the SOA record of the zone that name belongs to, with the TTL of denials (RFC 2308 3).
func (s records) soa(name string) []dns.RR {
	apex := s.apex(name)
	if apex == "" {
		return nil
	}
	soa := dns.Copy(s[apex][dns.TypeSOA][0]).(*dns.SOA)
	soa.Hdr.Ttl = min(soa.Hdr.Ttl, soa.Minttl)
	return []dns.RR{soa}
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
