package main

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/miekg/dns"
)

// parseType reads a type's whole name or TYPE and its number (RFC 3597 5), in any case.
func parseType(w string) (uint16, bool) {
	w = strings.ToUpper(w)
	if t, ok := dns.StringToType[w]; ok && t != dns.TypeNone && t != dns.TypeReserved {
		return t, true
	}
	return parseNumbered(w, "TYPE")
}

// parseClass reads a class's whole name or CLASS and its number, in any case.
func parseClass(w string) (uint16, bool) {
	switch w = strings.ToUpper(w); w {
	case "IN":
		return dns.ClassINET, true
	case "CH", "CHAOS":
		return dns.ClassCHAOS, true
	case "HS", "HESIOD":
		return dns.ClassHESIOD, true
	case "NONE":
		return dns.ClassNONE, true
	case "ANY":
		return dns.ClassANY, true
	}
	return parseNumbered(w, "CLASS")
}

func parseNumbered(w, prefix string) (uint16, bool) {
	digits, ok := strings.CutPrefix(w, prefix)
	if !ok || digits == "" || digits[0] == '+' {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	return uint16(n), err == nil
}

// reverseName returns the name to ask for an address's name. Of an IPv4 address the last octets may be missing, as with dig.
func reverseName(addr string) (string, error) {
	if a, err := netip.ParseAddr(addr); err == nil {
		if name, err := dns.ReverseAddr(a.WithZone("").Unmap().String()); err == nil {
			return name, nil
		}
	}
	octets := strings.Split(addr, ".")
	for _, o := range octets {
		if _, err := strconv.ParseUint(o, 10, 8); err != nil || len(octets) > 4 {
			return "", usagef("-x %q is not an IP address, such as 192.0.2.1 or 2001:db8::1", addr)
		}
	}
	slices.Reverse(octets)
	return strings.Join(octets, ".") + ".in-addr.arpa.", nil
}
