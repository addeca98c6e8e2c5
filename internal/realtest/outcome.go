package realtest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/miekg/dns"
)

// Section is the part of a message that a record stands in.
type Section uint8

// The sections that hold records (RFC 1035 4.1).
const (
	Answer Section = iota + 1
	Authority
	Additional
)

// String names the section.
func (s Section) String() string {
	return [...]string{"no section", "answer", "authority", "additional"}[s]
}

// Record is a resource record in a form that two decoders agree on.
type Record struct {
	Section     Section
	Owner       string // uncompressed wire form, as it was received
	Type, Class uint16
	Data        string // RDATA in hexadecimal, names in it uncompressed
	TTL         uint32 // seconds
}

// String shows the record for a person.
func (r Record) String() string {
	owner, _, err := dns.UnpackDomainName([]byte(r.Owner), 0)
	if err != nil {
		owner = fmt.Sprintf("%q", r.Owner)
	}
	return fmt.Sprintf("%v: %s %d CLASS%d TYPE%d \\# %d %s", r.Section, owner, r.TTL, r.Class, r.Type, len(r.Data)/2, r.Data)
}

// Outcome is what a client made of a response.
type Outcome struct {
	Rcode      int  // with its EDNS extension
	AA, TC, AD bool // flags of the header
	Records    []Record
}

// compare orders records by all but the TTL, which may differ a little.
func (r Record) compare(o Record) int {
	return cmp.Or(
		cmp.Compare(r.Section, o.Section),
		cmp.Compare(r.Owner, o.Owner),
		cmp.Compare(r.Type, o.Type),
		cmp.Compare(r.Class, o.Class),
		cmp.Compare(r.Data, o.Data))
}

// sortRecords puts records in the order they are compared in.
func sortRecords(records []Record) {
	slices.SortFunc(records, func(a, b Record) int { return cmp.Or(a.compare(b), cmp.Compare(a.TTL, b.TTL)) })
}

// RecordsOf returns the sorted records of a message, without the OPT record.
func RecordsOf(m *dns.Msg) ([]Record, error) {
	var records []Record
	for i, section := range [][]dns.RR{m.Answer, m.Ns, m.Extra} {
		for _, rr := range section {
			if rr.Header().Rrtype == dns.TypeOPT {
				continue
			}
			r, err := recordOf(Section(i+1), rr)
			if err != nil {
				return nil, err
			}
			records = append(records, r)
		}
	}
	sortRecords(records)
	return records, nil
}

func recordOf(section Section, rr dns.RR) (Record, error) {
	h := rr.Header()
	owner, err := wireName(h.Name)
	if err != nil {
		return Record{}, err
	}
	var data dns.RFC3597
	if err := data.ToRFC3597(rr); err != nil {
		return Record{}, fmt.Errorf("record %v: %w", rr, err)
	}
	return Record{Section: section, Owner: owner, Type: h.Rrtype, Class: h.Class, Data: data.Rdata, TTL: h.Ttl}, nil
}

// wireName returns the uncompressed wire form of a name in presentation form.
func wireName(name string) (string, error) {
	var buf [256]byte
	n, err := dns.PackDomainName(dns.Fqdn(name), buf[:], 0, nil, false)
	if err != nil {
		return "", fmt.Errorf("name %q: %w", name, err)
	}
	return string(buf[:n]), nil
}
