package queries

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A List is a Set of queries known one by one: all of a file, say.
type List struct {
	name    string
	slab    []byte // every message behind the other
	entries []entry
	times   []time.Duration // of a capture
	rounds  int
	skipped Skipped
	size    int64 // of the input, as long as memory may be reserved for it
}

// entry is where a message begins and what Query tells of it. It ends where the next one begins.
type entry struct {
	off    uint32
	typ    uint16
	opcode uint8
}

// errFull is what add and whoever fills the slab report.
var errFull = errors.New("more than 4 GiB of queries; split the input")

// end makes a query of what the slab has got since the last one.
func (l *List) end(from int, typ uint16, opcode uint8) error {
	if uint64(len(l.slab)) > math.MaxUint32 {
		return errFull
	}
	l.entries = append(l.entries, entry{uint32(from), typ, opcode})
	return nil
}

// reserve is called once so many octets of a text were read: memory for the rest spares growing by leaps, half of which would be in vain.
func (l *List) reserve(done int) {
	const most = 1 << 30                                 // of either: what an odd size may cost
	rest := max(0, float64(l.size)/float64(done)*1.02-1) // for each octet that there is
	l.slab = slices.Grow(l.slab, int(min(most, rest*float64(len(l.slab)))))
	l.entries = slices.Grow(l.entries, int(min(most/8, rest*float64(len(l.entries)))))
	l.size = 0
}

// Len returns how many queries there are.
func (l *List) Len() int { return len(l.entries) }

// Skipped returns what of the input is no query, by its reason.
func (l *List) Skipped() Skipped { return l.skipped }

// Timed reports whether the queries have recorded times.
func (l *List) Timed() bool { return l.times != nil }

// String says where the queries are from, how many there are and what was skipped.
func (l *List) String() string {
	s := fmt.Sprintf("%s: %d queries", l.name, l.Len())
	if l.Len() == 1 {
		s = l.name + ": 1 query"
	}
	if len(l.skipped) > 0 {
		s += ", skipped: " + l.skipped.String()
	}
	return s
}

// query sets *q to query k.
func (l *List) query(q *Query, k int) {
	e, to := &l.entries[k], len(l.slab)
	if k+1 < len(l.entries) {
		to = int(l.entries[k+1].off)
	}
	q.Raw, q.Type, q.Opcode, q.At = l.slab[e.off:to:to], e.typ, e.opcode, 0
	if l.times != nil {
		q.At = l.times[k]
	}
}

// period is how long a round lasts: to the last query and, behind it, the mean time between two.
func (l *List) period() time.Duration {
	if l.times == nil {
		return 0
	}
	n := time.Duration(len(l.times))
	last := l.times[n-1]
	if last == 0 { // then nothing tells how long; a second keeps rounds apart
		return time.Second
	}
	return last + last/(n-1)
}

// Part returns the source of shard i of n: of the list, repeated as often as it has rounds, queries i, i+n, i+2n, and so on. In the first round
// query k goes to shard k mod n; later ones go on where the last one ended, so that no shard of a short list has more to do than another.
func (l *List) Part(i, n int, _ uint64) Source {
	return &listSource{list: l, at: i, step: n, period: l.period()}
}

type listSource struct {
	list      *List
	at, step  int
	round     int
	period, t time.Duration
}

func (s *listSource) Next(q *Query) bool {
	if s.at >= len(s.list.entries) {
		s.turn()
	}
	if s.list.over(s.round) {
		return false
	}
	s.list.query(q, s.at)
	q.At += s.t
	s.at += s.step
	return true
}

// turn goes on to the round that at is in.
func (s *listSource) turn() {
	n := len(s.list.entries)
	s.round += s.at / n
	s.at %= n
	s.t = time.Duration(s.round) * s.period
}

func (l *List) over(round int) bool { return l.rounds > 0 && round >= l.rounds }

// Skipped counts what of an input is no query.
type Skipped []struct {
	Reason string
	Count  int
}

func (s *Skipped) add(reason string, count int) {
	for i := range *s {
		if (*s)[i].Reason == reason {
			(*s)[i].Count += count
			return
		}
	}
	*s = append(*s, struct {
		Reason string
		Count  int
	}{reason, count})
}

// String lists the reasons, each with its count.
func (s Skipped) String() string {
	var parts []string
	for _, r := range s {
		parts = append(parts, fmt.Sprintf("%d %s", r.Count, r.Reason))
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing")
}
