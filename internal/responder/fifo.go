package responder

import (
	"net/netip"

	"github.com/dnsq/dnsq/backend"
)

// A fifo holds copies of replies, first in, first out. Its memory is used again.
type fifo struct {
	ring    []backend.Datagram
	head, n int
}

func (q *fifo) len() int { return q.n }

func (q *fifo) push(addr netip.AddrPort, data []byte) {
	if q.n == len(q.ring) {
		q.grow()
	}
	e := q.at(q.n)
	e.Data, e.Addr = append(e.Data[:0], data...), addr
	q.n++
}

// at is the entry i behind the first.
func (q *fifo) at(i int) *backend.Datagram { return &q.ring[(q.head+i)%len(q.ring)] }

// run returns those at the beginning that lie one behind the other.
func (q *fifo) run() []backend.Datagram { return q.ring[q.head:min(q.head+q.n, len(q.ring))] }

// drop removes the first n.
func (q *fifo) drop(n int) {
	q.head = (q.head + n) % len(q.ring)
	q.n -= n
}

func (q *fifo) grow() {
	ring := make([]backend.Datagram, max(64, 2*len(q.ring)))
	for i := range q.n {
		ring[i] = *q.at(i)
	}
	q.ring, q.head = ring, 0
}
