package queries

import (
	"errors"
	"fmt"
	"strings"
)

// Weighted is a set and its share of a mix.
type Weighted struct {
	Set    Set
	Weight int
}

// mixed is the Set of several ones' queries, picked by their weights.
type mixed []Weighted

// Mix takes each query from one of the sets, picked at random by their weights. Where one ends, the others share what it had; recorded times are lost.
func Mix(sets ...Weighted) (Set, error) {
	if len(sets) == 0 {
		return nil, errors.New("a mix of nothing; it needs a set at least")
	}
	for _, w := range sets {
		if w.Weight < 1 || w.Weight > 1e9 {
			return nil, fmt.Errorf("%s: a weight of %d; it is from 1 to 1000000000", w.Set, w.Weight)
		}
	}
	return mixed(sets), nil
}

func (m mixed) Timed() bool { return false }

func (m mixed) String() string {
	var parts []string
	for _, w := range m {
		parts = append(parts, fmt.Sprintf("%d × %s", w.Weight, w.Set))
	}
	return "mix of " + strings.Join(parts, ", ")
}

func (m mixed) Part(i, n int, seed uint64) Source {
	s := &mixedSource{stream: newStream(seed, i)}
	for k, w := range m {
		s.sources = append(s.sources, w.Set.Part(i, n, derive(seed, inner+uint64(k))))
		s.weights = append(s.weights, uint64(w.Weight))
		s.total += uint64(w.Weight)
	}
	return s
}

type mixedSource struct {
	stream  stream
	sources []Source
	weights []uint64 // 0 once it ended
	total   uint64
}

func (s *mixedSource) Next(q *Query) bool {
	for s.total > 0 {
		k := s.choose()
		if s.sources[k].Next(q) {
			q.At = 0
			return true
		}
		s.total -= s.weights[k]
		s.weights[k] = 0
	}
	return false
}

func (s *mixedSource) choose() int {
	at := s.stream.below(s.total)
	for k, w := range s.weights {
		if at < w {
			return k
		}
		at -= w
	}
	panic("weights do not add up to their total")
}
