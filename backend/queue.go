package backend

// A queue holds copies of datagrams, first in, first out. Its memory is used again.
type queue struct {
	ring    []Datagram // Buf of a free entry is memory for the next one's Data
	head, n int
}

func (q *queue) len() int { return q.n }

// push appends a copy of d.
func (q *queue) push(d Datagram) {
	if q.n == len(q.ring) {
		q.grow()
	}
	e := &q.ring[(q.head+q.n)%len(q.ring)]
	e.Buf = append(e.Buf[:0], d.Data...)
	e.Data, e.Addr, e.Err, e.Stamp, e.Truncated = e.Buf, d.Addr, d.Err, d.Stamp, d.Truncated
	q.n++
}

// at returns the entry i behind the first. Its Data stays valid until it is popped and another is pushed.
func (q *queue) at(i int) Datagram { return q.ring[(q.head+i)%len(q.ring)] }

// pop removes the first; what it returns is valid until the next push.
func (q *queue) pop() Datagram {
	d := q.ring[q.head]
	q.drop(1)
	return d
}

// drop removes the first n.
func (q *queue) drop(n int) {
	q.head = (q.head + n) % len(q.ring)
	q.n -= n
}

func (q *queue) grow() {
	ring := make([]Datagram, max(4, 2*len(q.ring)))
	for i := range q.n {
		ring[i] = q.at(i)
	}
	q.ring, q.head = ring, 0
}

// take makes d the datagram from, whose memory is not d's: a copy in Buf or, if that is too small, in the overflow of a. It
// reports whether it was.
func (d *Datagram) take(from Datagram, a *Arena) (long bool) {
	n := copy(d.Buf, from.Data)
	d.Data, d.Addr, d.Err, d.Stamp, d.Truncated = d.Buf[:n], from.Addr, from.Err, from.Stamp, from.Truncated
	if n == len(from.Data) {
		return false
	}
	copy(a.tail(), from.Data[n:])
	d.Data = a.join(d.Buf, len(from.Data))
	return true
}
