package responder

import (
	"net/netip"

	"github.com/dnsq/dnsq/ioevent"
)

// A heap holds copies of replies in the order in which they are due, those of one time in the order in which they came. Its memory is used
// again.
type heap struct {
	items []held // those behind n keep their memory
	n     int
	seq   uint64
}

type held struct {
	due  ioevent.Time
	seq  uint64
	addr netip.AddrPort
	data []byte
}

func (h *held) before(o *held) bool { return h.due < o.due || h.due == o.due && h.seq < o.seq }

func (h *heap) len() int { return h.n }

// first is the one that is due first, until the next push or pop.
func (h *heap) first() *held { return &h.items[0] }

func (h *heap) push(due ioevent.Time, addr netip.AddrPort, data []byte) {
	if h.n == len(h.items) {
		h.items = append(h.items, held{})
	}
	e := &h.items[h.n]
	h.seq++
	e.due, e.seq, e.addr, e.data = due, h.seq, addr, append(e.data[:0], data...)
	for i := h.n; i > 0; {
		up := (i - 1) / 2
		if !h.items[i].before(&h.items[up]) {
			break
		}
		h.items[i], h.items[up] = h.items[up], h.items[i]
		i = up
	}
	h.n++
}

// pop removes the first. What it returns is valid until the next push.
func (h *heap) pop() *held {
	h.n--
	h.items[0], h.items[h.n] = h.items[h.n], h.items[0]
	for i := 0; ; {
		least := 2*i + 1
		if least >= h.n {
			break
		}
		if right := least + 1; right < h.n && h.items[right].before(&h.items[least]) {
			least = right
		}
		if !h.items[least].before(&h.items[i]) {
			break
		}
		h.items[i], h.items[least] = h.items[least], h.items[i]
		i = least
	}
	return &h.items[h.n]
}
