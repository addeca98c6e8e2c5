package queries

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/miekg/dns"
)

// maxTypeName is more than the longest name of a type or class has.
const maxTypeName = 16

// ParseType reads the name of a type in either case, or TYPE and its number (RFC 3597 5).
func ParseType(s string) (uint16, error) {
	var upper [maxTypeName]byte
	name := upper[:copy(upper[:], s)]
	for i, c := range name {
		if 'a' <= c && c <= 'z' {
			name[i] = c - ('a' - 'A')
		}
	}
	typ, ok := dns.StringToType[string(name)]
	if !ok {
		typ, ok = numbered(name)
	}
	if ok && len(s) <= maxTypeName && asked(typ) {
		return typ, nil
	}
	return 0, fmt.Errorf("type %.40q is unknown", s)
}

// asked is false for what miekg/dns has a name for and nobody can ask for.
func asked(typ uint16) bool {
	switch typ {
	case dns.TypeNone, dns.TypeReserved, dns.TypeOPT, dns.TypeTSIG, dns.TypeTKEY:
		return false
	}
	return true
}

// parseClass reads a class between name and type, which hardly anybody writes.
func parseClass(s string) (class uint16, ok bool) {
	switch {
	case strings.EqualFold(s, "IN"):
		return dns.ClassINET, true
	case strings.EqualFold(s, "CH"):
		return dns.ClassCHAOS, true
	case strings.EqualFold(s, "HS"):
		return dns.ClassHESIOD, true
	case len(s) > 5 && strings.EqualFold(s[:5], "CLASS"):
		n, err := strconv.ParseUint(s[5:], 10, 16)
		return uint16(n), err == nil
	}
	return 0, false
}

func numbered(name []byte) (typ uint16, ok bool) {
	const prefix = "TYPE"
	if len(name) <= len(prefix) || string(name[:len(prefix)]) != prefix {
		return 0, false
	}
	n, err := strconv.ParseUint(string(name[len(prefix):]), 10, 16)
	return uint16(n), err == nil
}
