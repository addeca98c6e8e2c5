package queries

import "fmt"

// hitRate is the Set of another one's queries, some of them with a label in front that no cache holds.
type hitRate struct {
	set    Set
	misses chance
	name   string
}

// HitRate lets so many percent of a set's queries be as they are, and puts a label that was never used in the run in front of the others' names: a
// cache that holds all of the set answers these many. What cannot be changed, an update or a signed query, stays as it is.
func HitRate(set Set, percent float64) (Set, error) {
	if !(percent >= 0 && percent <= 100) {
		return nil, fmt.Errorf("hit: a rate of %v; it is from 0 to 100 percent", percent)
	}
	return &hitRate{set, newChance(1 - percent/100), fmt.Sprintf("hit:%v of %s", percent, set)}, nil
}

func (h *hitRate) Timed() bool    { return h.set.Timed() }
func (h *hitRate) String() string { return h.name }

func (h *hitRate) Part(i, n int, seed uint64) Source {
	return &hitSource{
		source: h.set.Part(i, n, derive(seed, inner)), misses: h.misses, stream: newStream(seed, i),
		counter: newCounter(i, n, seed), buf: make([]byte, 0, 512),
	}
}

type hitSource struct {
	source  Source
	misses  chance
	stream  stream
	counter counter
	buf     []byte
}

func (s *hitSource) Next(q *Query) bool {
	if !s.source.Next(q) {
		return false
	}
	if !s.stream.happens(s.misses) {
		return true
	}
	end, ok := plain(q.Raw)
	if !ok {
		return true
	}
	var label []byte
	s.buf, label = appendPrefixed(s.buf[:0], q.Raw, end)
	putLabel(label, s.counter.number())
	q.Raw = s.buf
	return true
}
