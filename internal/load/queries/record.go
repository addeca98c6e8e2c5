package queries

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/wire"
)

const addSuch = "write such as: add www 3600 A 192.0.2.1"

// add reads what stands behind "add": name, TTL, type and data.
func (u *updates) add(_, s string) (dns.RR, error) {
	name, s := word(s)
	ttl, s := word(s)
	seconds, err := strconv.ParseUint(ttl, 10, 32)
	switch {
	case ttl == "":
		return nil, errors.New("name or TTL is missing; " + addSuch)
	case err != nil:
		return nil, fmt.Errorf("TTL %.40q is no number of seconds; %s", ttl, addSuch)
	}
	owner, err := below(name, u.zone())
	if err != nil {
		return nil, err
	}
	typ, data, err := dataOf(s)
	if err == nil && data == "" {
		err = errors.New("type or data is missing; " + addSuch)
	}
	if err != nil {
		return nil, err
	}
	return u.parse(dns.RR_Header{Name: owner, Rrtype: typ, Class: dns.ClassINET, Ttl: uint32(seconds)}, data)
}

// record reads what stands behind "require", "prohibit" and "delete": a name, or a name and a type, or both and data. What is there decides about
// the class (RFC 2136 2.4 and 2.5).
func (u *updates) record(command, s string) (dns.RR, error) {
	name, s := word(s)
	if name == "" {
		return nil, fmt.Errorf("a name is missing; write such as: %s www", command)
	}
	owner, err := below(name, u.zone())
	if err != nil {
		return nil, err
	}
	typ, data, err := dataOf(s)
	if err != nil {
		return nil, err
	}
	h := dns.RR_Header{Name: owner, Rrtype: typ, Class: dns.ClassANY}
	switch {
	case command == "prohibit" && data != "":
		return nil, errors.New("prohibit takes no data; write a name or a name and a type")
	case command == "prohibit", command == "delete" && data != "":
		h.Class = dns.ClassNONE
	case data != "":
		h.Class = dns.ClassINET
	}
	if data == "" {
		return &dns.ANY{Hdr: h}, nil
	}
	return u.parse(h, data)
}

// dataOf reads a type and returns what stands behind it. Without one it is ANY.
func dataOf(s string) (typ uint16, data string, err error) {
	name, rest := word(s)
	if name == "" {
		return dns.TypeANY, "", nil
	}
	if typ, err = ParseType(name); err != nil {
		return 0, "", err
	}
	if first, _ := word(rest); first == "" { // spaces or a comment
		return typ, "", nil
	}
	return typ, rest, nil
}

func (u *updates) zone() string { return u.msg.Question[0].Name }

// below makes a name without its final dot one below the zone.
func below(name, zone string) (string, error) {
	if err := ascii(name); err != nil {
		return "", nameError(name, err)
	}
	full := name
	switch {
	case name == "@":
		full = zone
	case !dns.IsFqdn(name) && zone == ".":
		full += "."
	case !dns.IsFqdn(name):
		full += "." + zone
	}
	if _, err := wire.AppendName(nil, full); err != nil {
		return "", nameError(name, err)
	}
	return full, nil
}

// parse reads data as a zone file has it. The owner is put in behind: the line must have no say in anything but its data.
func (u *updates) parse(h dns.RR_Header, data string) (dns.RR, error) {
	typ := dns.TypeToString[h.Rrtype]
	if typ == "" {
		typ = "TYPE" + strconv.Itoa(int(h.Rrtype))
	}
	zp := dns.NewZoneParser(strings.NewReader(". 0 IN "+typ+" "+data+"\n"), u.zone(), "")
	rr, ok := zp.Next()
	if err := zp.Err(); err != nil || !ok {
		return nil, fmt.Errorf("%.60q is no data of type %s: write it as in a zone file", strings.TrimSpace(data), typ)
	}
	*rr.Header() = h
	return rr, nil
}
