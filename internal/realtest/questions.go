package realtest

import (
	"slices"
	"strings"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/resolver"
)

// Expect is what the zone says about a question's answer.
type Expect uint8

// What the zone may say.
const (
	Anything Expect = iota // it depends on the server
	Held                   // the record set is in the answer
	NoData                 // the name exists, the type does not
	Missing                // the name does not exist
)

// Question is one question to a server and to dig.
type Question struct {
	resolver.Question
	Flags  resolver.Flags
	Expect Expect
}

// Unexpected says how an outcome differs from what the zone holds, "" if it
// does not. It keeps two clients that are wrong alike from passing.
func (q Question) Unexpected(o Outcome) string {
	answers, held := 0, false
	for _, r := range o.Records {
		if r.Section == Answer {
			answers++
			held = held || r.Type == q.Type
		}
	}
	switch {
	case q.Expect == Held && (o.Rcode != dns.RcodeSuccess || !held):
		return "the record set is not in the answer"
	case q.Expect == NoData && (o.Rcode != dns.RcodeSuccess || answers > 0):
		return "there is an answer, or none that says NODATA"
	case q.Expect == Missing && (o.Rcode != dns.RcodeNameError || answers > 0):
		return "the name exists"
	}
	return ""
}

// Questions returns n questions, equal ones for equal zones: the special cases
// first, then questions for suffixes from all over the zone, of which five in
// eight are for what is there and the rest for types and names that are not.
func Questions(zones []Zone, n int) []Question {
	ix := newIndex(zones)
	questions := oddQuestions()
	var suffixes []string
	for _, name := range ix.owners {
		if dns.IsSubDomain("special."+Origin, name) || dns.IsSubDomain(SignedOrigin, name) {
			questions = append(questions, ix.thorough(name)...)
		} else {
			suffixes = append(suffixes, name)
		}
	}
	rest := max(n-len(questions), 0)
	stride := max(len(suffixes)/max(rest, 1), 1)
	for k := range rest {
		questions = append(questions, ix.spread(k, suffixes[k*stride%len(suffixes)]))
	}
	return questions[:n]
}

// index knows the names of the zones and the types at them.
type index struct {
	owners []string // in the zones' order, each once
	types  map[string][]uint16
}

func newIndex(zones []Zone) index {
	ix := index{types: make(map[string][]uint16)}
	for _, z := range zones {
		for _, set := range rrsets(z.Records) {
			h := set[0].Header()
			if ix.types[h.Name] == nil {
				ix.owners = append(ix.owners, h.Name)
			}
			if !slices.Contains(ix.types[h.Name], h.Rrtype) {
				ix.types[h.Name] = append(ix.types[h.Name], h.Rrtype)
			}
		}
	}
	return ix
}

// thorough asks for everything at a name, with and without DNSSEC and EDNS, and
// for what truncation leaves of it.
func (ix index) thorough(name string) []Question {
	var questions []Question
	for _, typ := range append(ix.types[name], dns.TypeLOC) {
		for _, flags := range []resolver.Flags{
			resolver.AuthenticData, resolver.DNSSEC, resolver.NoEDNS,
			resolver.CheckingDisabled | resolver.DNSSEC, resolver.IgnoreTruncation, resolver.NoRecurse,
		} {
			questions = append(questions, question(name, typ, flags, Anything))
		}
	}
	return questions
}

// spread asks the kth question, for a suffix.
func (ix index) spread(k int, name string) Question {
	flags := []resolver.Flags{0, resolver.AuthenticData, resolver.DNSSEC, resolver.NoEDNS}[k/3%4]
	types := ix.types[name]
	switch k % 8 {
	case 5:
		return ix.noData(name, flags)
	case 6:
		return ix.missing("missing."+name, flags)
	case 7:
		return ix.missing("_"+name, flags)
	}
	return question(name, types[k%len(types)], flags, Held)
}

// absent are types that suffixes do not have all at once.
var absent = [...]uint16{dns.TypeA, dns.TypeAAAA, dns.TypeMX, dns.TypeNAPTR}

// noData asks for a type that is not there; an alias answers for every type.
func (ix index) noData(name string, flags resolver.Flags) Question {
	types := ix.types[name]
	if slices.Contains(types, dns.TypeCNAME) {
		return question(name, dns.TypeA, flags, Anything)
	}
	i := slices.IndexFunc(absent[:], func(typ uint16) bool { return !slices.Contains(types, typ) })
	return question(name, absent[i], flags, NoData)
}

// missing asks for a name that is not there, unless a wildcard makes it one.
func (ix index) missing(name string, flags resolver.Flags) Question {
	_, parent, _ := strings.Cut(name, ".")
	if ix.types["*."+parent] != nil || ix.types[name] != nil {
		return question(name, dns.TypeA, flags, Anything)
	}
	return question(name, dns.TypeA, flags, Missing)
}

func question(name string, typ uint16, flags resolver.Flags, expect Expect) Question {
	return Question{resolver.Question{Name: name, Type: typ, Class: dns.ClassINET}, flags, expect}
}

// oddQuestions are those that the zones' owner names do not lead to.
func oddQuestions() []Question {
	var questions []Question
	for _, q := range []struct {
		name string
		typ  uint16
	}{
		{Origin, dns.TypeSOA},
		{Origin, dns.TypeNS},
		{Origin, dns.TypeANY},
		{SignedOrigin, dns.TypeANY},
		{SignedOrigin, dns.TypeDS},
		{"many.special.test.", dns.TypeANY},
		{"a.b.dname.special.test.", dns.TypeA},
		{"one.dname.special.test.", dns.TypeA},
		{"dname.special.test.", dns.TypeTXT},
		{"x.wild.special.test.", dns.TypeA},
		{"x.y.wild.special.test.", dns.TypeTXT},
		{"x.wild.special.test.", dns.TypeMX},
		{"x.not.wild.special.test.", dns.TypeA},
		{"x.alias.special.test.", dns.TypeA},
		{"non.terminal.special.test.", dns.TypeA},
		{"link0.special.test.", dns.TypeAAAA},
		{"link5.special.test.", dns.TypeA},
		{"loop0.special.test.", dns.TypeA},
		{"self.special.test.", dns.TypeA},
		{"dangling.special.test.", dns.TypeA},
		{"below.delegated.special.test.", dns.TypeA},
		{"delegated.special.test.", dns.TypeDS},
		{"mixed.SPECIAL.tEsT.", dns.TypeTXT},
		{"WWW.signed.test.", dns.TypeA},
		{"www.signed.test.", dns.TypeMX},
		{"missing.signed.test.", dns.TypeA},
		{"x.wild.signed.test.", dns.TypeTXT},
		{"x.wild.signed.test.", dns.TypeA},
		{"empty.terminal.signed.test.", dns.TypeA},
		{"chain.signed.test.", dns.TypeA},
		{"chain.signed.test.", dns.TypeTXT},
	} {
		questions = append(questions,
			question(q.name, q.typ, resolver.AuthenticData, Anything), question(q.name, q.typ, resolver.DNSSEC, Anything))
	}
	return questions
}
