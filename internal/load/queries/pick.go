package queries

import (
	"fmt"
	"math"
)

// picked is the Set of queries of a list in random order: by weights, or all alike.
type picked struct {
	list  *List
	alias *alias // nil: all alike
	name  string
}

// Zipf picks the queries of a list by Zipf's law: query k, from 1, as often as 1/k^s. The first is the most frequent. If the list has rounds, so many
// queries are picked as those have.
func Zipf(l *List, s float64) (Set, error) {
	if !(s >= 0 && s <= 100) {
		return nil, fmt.Errorf("zipf: an exponent of %v; it is from 0, where all are alike, to 100: around 1 for what resolvers are asked", s)
	}
	p := &picked{list: l, name: fmt.Sprintf("zipf:%v of %s", s, l)}
	if s != 0 {
		p.alias = newAlias(l.Len(), func(k int) float64 { return math.Pow(float64(k+1), -s) })
	}
	return p, nil
}

// Uniform picks the queries of a list at random, each as often as any other.
func Uniform(l *List) Set { return &picked{list: l, name: "uniform of " + l.String()} }

func (p *picked) Timed() bool    { return false }
func (p *picked) String() string { return p.name }

func (p *picked) Part(i, n int, seed uint64) Source {
	left := int64(math.MaxInt64)
	if p.list.rounds > 0 {
		total := int64(p.list.rounds) * int64(p.list.Len())
		left = (total - int64(i) + int64(n) - 1) / int64(n)
	}
	return &pickedSource{p, newStream(seed, i), left}
}

type pickedSource struct {
	*picked
	stream stream
	left   int64
}

func (s *pickedSource) Next(q *Query) bool {
	if s.left <= 0 {
		return false
	}
	s.left--
	k := s.stream.below(uint64(s.list.Len()))
	if s.alias != nil {
		k = s.alias.choose(k, s.stream)
	}
	s.list.query(q, int(k))
	q.At = 0
	return true
}

// alias is a table for picking by weights in constant time (Walker 1977, built as Vose 1991 does): each slot stands for itself with its chance,
// for another one otherwise.
type alias struct {
	chances []uint32 // of 1<<32
	others  []uint32
}

func newAlias(n int, weight func(int) float64) *alias {
	a := &alias{make([]uint32, n), make([]uint32, n)}
	scaled, sum := make([]float64, n), 0.0
	for k := range scaled {
		scaled[k] = weight(k)
		sum += scaled[k]
	}
	var small, large []uint32
	for k := range scaled {
		scaled[k] *= float64(n) / sum
		if scaled[k] < 1 {
			small = append(small, uint32(k))
		} else {
			large = append(large, uint32(k))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.chances[s], a.others[s] = uint32(scaled[s]*(1<<32)), l
		if scaled[l] -= 1 - scaled[s]; scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, k := range append(small, large...) { // what rounding left over is whole
		a.others[k] = k
	}
	return a
}

// choose returns slot k or what it stands for otherwise.
func (a *alias) choose(k uint64, s stream) uint64 {
	if uint32(s.pcg.Uint64()>>32) < a.chances[k] {
		return k
	}
	return uint64(a.others[k])
}
