package realtest

import (
	"slices"
	"strings"

	"github.com/miekg/dns"
)

// nsecChain returns the NSEC records that link the zone's owner names in
// canonical order (RFC 4034 4 and 6.1).
func nsecChain(z Zone) []dns.RR {
	types := make(map[string][]uint16)
	for _, set := range rrsets(z.Records) {
		h := set[0].Header()
		types[h.Name] = append(types[h.Name], h.Rrtype)
	}
	owners := make([]string, 0, len(types))
	for name := range types {
		owners = append(owners, name)
	}
	slices.SortFunc(owners, compareCanonical)
	var chain []dns.RR
	for i, name := range owners {
		bitmap := append(types[name], dns.TypeRRSIG, dns.TypeNSEC)
		slices.Sort(bitmap)
		chain = append(chain, &dns.NSEC{
			Hdr:        dns.RR_Header{Name: name, Rrtype: dns.TypeNSEC, Class: dns.ClassINET, Ttl: 7200},
			NextDomain: owners[(i+1)%len(owners)],
			TypeBitMap: bitmap,
		})
	}
	return chain
}

// rrsets groups records by owner and type, in the order of their first records.
func rrsets(records []dns.RR) [][]dns.RR {
	type key struct {
		name string
		typ  uint16
	}
	at := make(map[key]int)
	var sets [][]dns.RR
	for _, rr := range records {
		k := key{rr.Header().Name, rr.Header().Rrtype}
		i, ok := at[k]
		if !ok {
			i = len(sets)
			at[k] = i
			sets = append(sets, nil)
		}
		sets[i] = append(sets[i], rr)
	}
	return sets
}

// compareCanonical orders lower-case names without escapes by RFC 4034 6.1.
func compareCanonical(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	slices.Reverse(x)
	slices.Reverse(y)
	return slices.Compare(x, y)
}
