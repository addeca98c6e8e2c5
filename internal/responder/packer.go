package responder

import (
	"maps"
	"slices"

	"github.com/miekg/dns"
)

// A packer packs the replies of the names of records.
type packer struct {
	records
	types   []uint16           // every type that some name has
	denials map[string]*denial // by apex: all names of a zone share them
	err     error              // the first
}

// denial is what a zone says of what it has not.
type denial struct{ nodata, nxdomain *reply }

func newPacker(s records) *packer {
	p := &packer{records: s, denials: map[string]*denial{}}
	seen := map[uint16]bool{}
	for _, sets := range s {
		for t := range sets {
			seen[t] = true
		}
	}
	p.types = slices.Collect(maps.Keys(seen))
	return p
}

// node packs the replies of a name: of its own types, or of all types where it is an alias, whose target may have them.
func (p *packer) node(name string) (*node, error) {
	n := &node{replies: map[uint16]*reply{}}
	if cut := p.cut(name); cut != "" {
		p.referral(n, name, cut)
		return n, p.err
	}
	d := p.denial(name)
	n.other, n.nxdomain = d.nodata, d.nxdomain
	types := slices.Sorted(maps.Keys(p.records[name]))
	if all := p.all(name, types); len(all.answer) > 0 {
		n.replies[dns.TypeANY] = p.pack(all, name)
	}
	if len(p.records[name][dns.TypeCNAME]) > 0 {
		types = p.types
		n.other = p.pack(p.answer(name, dns.TypeNone), name)
	}
	for _, t := range types {
		if m := p.answer(name, t); len(m.answer) > 0 {
			n.replies[t] = p.pack(m, name)
		}
	}
	return n, p.err
}

// all holds every record of a name.
func (p *packer) all(name string, types []uint16) (m message) {
	for _, t := range types {
		m.answer = append(m.answer, p.records[name][t]...)
	}
	return m
}

// referral has n send everybody to the servers of the zone below, but for the type whose records are on this side of the cut.
func (p *packer) referral(n *node, name, cut string) {
	n.other = p.pack(p.refer(message{}, cut), "")
	n.nxdomain = n.other
	if name == cut {
		n.replies[dns.TypeDS] = p.pack(p.answer(name, dns.TypeDS), name)
	}
}

func (p *packer) denial(name string) *denial {
	apex := p.apex(name)
	d := p.denials[apex]
	if d == nil {
		soa := p.soa(name)
		d = &denial{p.pack(message{authority: soa}, ""), p.pack(message{rcode: dns.RcodeNameError, authority: soa}, "")}
		p.denials[apex] = d
	}
	return d
}

// pack packs m for questions about name and keeps the first error.
func (p *packer) pack(m message, name string) *reply {
	r, err := m.pack(name)
	if p.err == nil {
		p.err = err
	}
	return r
}
