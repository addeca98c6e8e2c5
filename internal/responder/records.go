package responder

import (
	"reflect"
	"strings"

	"github.com/miekg/dns"
)

// records holds the RRsets by owner, in lower case, and type.
type records map[string]map[uint16][]dns.RR

// collect puts lines into records and refuses what no zone may hold.
func collect(lines []line) (records, error) {
	s := records{}
	for _, l := range lines {
		if l.rr.Header().Rrtype == dns.TypeSOA {
			if err := s.begin(l); err != nil {
				return nil, err
			}
		}
	}
	for _, l := range lines {
		if l.rr.Header().Rrtype == dns.TypeSOA {
			continue
		}
		switch h := l.rr.Header(); {
		case h.Class != dns.ClassINET:
			return nil, l.errorf("%s is of class %s; only IN is served", h.Name, dns.ClassToString[h.Class])
		case blank(l.rr):
			return nil, l.errorf("%s has an %s record without data", h.Name, dns.Type(h.Rrtype))
		case s.apex(l.owner()) == "":
			return nil, l.errorf("%s is in no zone: give a SOA record to it or to a name above it", h.Name)
		}
		s.add(l.rr)
	}
	return s, s.checkAliases(lines)
}

// blank says that rr has no data, as the parser allows for updates (RFC 2136 2.5). A type that is not known, or APL, may have none.
func blank(rr dns.RR) bool {
	t := rr.Header().Rrtype
	known := dns.TypeToRR[t]
	if known == nil || t == dns.TypeAPL {
		return false
	}
	zero := known()
	*zero.Header() = *rr.Header()
	return reflect.DeepEqual(zero, rr)
}

// begin adds the SOA record of l. A transfer's text has it at the end once more.
func (s records) begin(l line) error {
	name := l.owner()
	switch set := s[name][dns.TypeSOA]; {
	case len(set) == 0:
		s[name] = map[uint16][]dns.RR{dns.TypeSOA: {l.rr}}
	case !dns.IsDuplicate(set[0], l.rr):
		return l.errorf("%s has two SOA records that differ", l.rr.Header().Name)
	}
	return nil
}

// add adds a record that is in a zone. Names below the apex are created where only longer ones have records.
func (s records) add(rr dns.RR) {
	owner := strings.ToLower(rr.Header().Name)
	for name := owner; s[name] == nil; name = parent(name) {
		s[name] = map[uint16][]dns.RR{}
	}
	s[owner][rr.Header().Rrtype] = append(s[owner][rr.Header().Rrtype], rr)
}

// checkAliases refuses a CNAME beside other records (RFC 1034 3.6.2; those of DNSSEC may be, RFC 4034).
func (s records) checkAliases(lines []line) error {
	for _, l := range lines {
		if l.rr.Header().Rrtype != dns.TypeCNAME {
			continue
		}
		for t, set := range s[l.owner()] {
			switch {
			case t == dns.TypeCNAME && len(set) > 1:
				return l.errorf("%s has %d CNAME records; an alias has one", l.rr.Header().Name, len(set))
			case t != dns.TypeCNAME && t != dns.TypeRRSIG && t != dns.TypeNSEC:
				return l.errorf("%s has CNAME and %s records; an alias has nothing else", l.rr.Header().Name, dns.Type(t))
			}
		}
	}
	return nil
}

func parent(name string) string {
	i, end := dns.NextLabel(name, 0)
	if end {
		return "."
	}
	return name[i:]
}

// apex returns the name of the zone that name belongs to, "" for none.
func (s records) apex(name string) string {
	for ; len(s[name][dns.TypeSOA]) == 0; name = parent(name) {
		if name == "." {
			return ""
		}
	}
	return name
}

// cut returns the delegation that name is at or below, the one next to the apex of name's zone, "" for none.
func (s records) cut(name string) (cut string) {
	for ; len(s[name][dns.TypeSOA]) == 0; name = parent(name) {
		if len(s[name][dns.TypeNS]) > 0 {
			cut = name
		}
		if name == "." {
			break
		}
	}
	return cut
}

// at returns the RRsets of a name, its own or those of the wildcard that covers it (RFC 4592), and whether there are any.
func (s records) at(name string) (sets map[uint16][]dns.RR, ok bool) {
	if sets, ok = s[name]; ok {
		return sets, true
	}
	for above := name; above != "."; {
		above = parent(above)
		if _, ok := s[above]; ok {
			wild, ok := s["*."+strings.TrimPrefix(above, ".")]
			return renamed(wild, name), ok
		}
	}
	return nil, false
}

// renamed copies sets for another owner.
func renamed(sets map[uint16][]dns.RR, owner string) map[uint16][]dns.RR {
	out := make(map[uint16][]dns.RR, len(sets))
	for t, set := range sets {
		for _, rr := range set {
			rr = dns.Copy(rr)
			rr.Header().Name = owner
			out[t] = append(out[t], rr)
		}
	}
	return out
}
