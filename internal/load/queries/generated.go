package queries

import (
	"fmt"
	"slices"

	"github.com/dnsq/dnsq/internal/wire"
)

// generated is the Set of queries that differ in one label of one name, forever.
type generated struct {
	name     string
	template []byte
	typ      uint16
	from, to int  // of the label
	unique   bool // else it is random
}

func newUnique(name, base string, o *Options) (Set, error) {
	g, err := newGenerated(name, base, uniqueLen, o)
	if err != nil {
		return nil, err
	}
	g.unique = true
	return g, nil
}

func newRandom(name, base string, length int, o *Options) (Set, error) {
	g, err := newGenerated(name, base, length, o)
	if err != nil {
		return nil, err
	}
	return g, nil
}

// newGenerated makes queries for a label of that length below base.
func newGenerated(name, base string, length int, o *Options) (*generated, error) {
	if err := ascii(base); err != nil {
		return nil, nameError(base, err)
	}
	label := (letters + letters)[:length] // to be written over
	if base != "." {
		label += "." + base
	}
	msg, err := appendQuery(nil, o.Ask.frame(), label, o.typ(), classIN)
	if err != nil {
		return nil, nameError(base, fmt.Errorf("%w, with a label of %d letters before it", reasonOf(err), length))
	}
	return &generated{name: name, template: msg, typ: o.typ(), from: wire.HeaderLen + 1, to: wire.HeaderLen + 1 + length}, nil
}

func (g *generated) Timed() bool    { return false }
func (g *generated) String() string { return g.name }

func (g *generated) Part(i, n int, seed uint64) Source {
	raw := slices.Clone(g.template)
	label := raw[g.from:g.to]
	if g.unique {
		return &uniqueSource{raw, label, g.typ, newCounter(i, n, seed)}
	}
	return &randomSource{raw, label, g.typ, newStream(seed, i)}
}

type uniqueSource struct {
	raw, label []byte
	typ        uint16
	counter    counter
}

func (s *uniqueSource) Next(q *Query) bool {
	putLabel(s.label, s.counter.number())
	*q = Query{Raw: s.raw, Type: s.typ}
	return true
}

type randomSource struct {
	raw, label []byte
	typ        uint16
	stream     stream
}

func (s *randomSource) Next(q *Query) bool {
	s.stream.putRandom(s.label)
	*q = Query{Raw: s.raw, Type: s.typ}
	return true
}
