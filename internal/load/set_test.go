package load

import (
	"time"

	"github.com/dnsq/dnsq/internal/load/queries"
)

// question is a query for the A record of x.example.com, made by hand.
func question() []byte {
	q := []byte{0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0}
	q = append(q, "\x01x\x07example\x03com\x00"...)
	return append(q, 0, 1, 0, 1)
}

// list is a Set of so many queries, all alike but for their times; 0: no end.
type list struct {
	n     int
	every time.Duration // between two of them in the recording, 0: no times
}

func (l list) Part(i, n int, _ uint64) queries.Source {
	return &listPart{list: l, next: i, step: n, q: queries.Query{Raw: question(), Type: 1}}
}
func (l list) Timed() bool    { return l.every > 0 }
func (l list) String() string { return "a list" }

type listPart struct {
	list
	next, step int
	q          queries.Query
}

func (p *listPart) Next(q *queries.Query) bool {
	if p.n > 0 && p.next >= p.n {
		return false
	}
	*q = p.q
	q.At = time.Duration(p.next) * p.every
	p.next += p.step
	return true
}
