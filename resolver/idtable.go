package resolver

// maxIDs is how many queries may be outstanding on one socket or connection: at three quarters of all IDs a random free one is still found in four
// draws, and a forger still has to guess.
const maxIDs = 49152

// idTable finds the query behind a message ID. IDs are random, so the ID is its own hash; collisions go to the next slot.
type idTable struct {
	slab  *slab    // where the queries are
	slots []idSlot // a power of two long, at most 65,536
	n     int
}

// idSlot is an ID and the number of its query; 0 is empty. Neither a search nor a draw of an ID has to look at a query to pass it over.
type idSlot uint64

func slotOf(id uint16, n number) idSlot { return idSlot(n)<<16 | idSlot(id) }

func (s idSlot) id() uint16     { return uint16(s) }
func (s idSlot) number() number { return number(s >> 16) }

// get returns the query with that ID, or nil.
func (t *idTable) get(id uint16) *pending {
	if s := t.find(id); s != 0 {
		return t.slab.at(s.number())
	}
	return nil
}

// find returns the slot with that ID, or 0.
func (t *idTable) find(id uint16) idSlot {
	if t.n == 0 {
		return 0
	}
	mask := len(t.slots) - 1
	for i := int(id) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if t.slots[i].id() == id {
			return t.slots[i]
		}
	}
	return 0
}

// put adds a query under an ID that is not in the table.
func (t *idTable) put(id uint16, p *pending) {
	if t.full() {
		t.grow()
	}
	t.insert(slotOf(id, p.number))
	t.n++
}

// full reports whether one more makes the searches long. While the cache holds a table, one that is nearly empty is the fastest: no branch
// is mispredicted. A larger one is four fifths full, so that it stays small.
func (t *idTable) full() bool {
	return 5*(t.n+1) > 4*len(t.slots) || 8*(t.n+1) > len(t.slots) && len(t.slots) < 8192
}

func (t *idTable) insert(s idSlot) {
	mask := len(t.slots) - 1
	i := int(s.id()) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = s
}

func (t *idTable) grow() {
	old := t.slots
	t.slots = make([]idSlot, max(8, 2*len(old)))
	for _, s := range old {
		if s != 0 {
			t.insert(s)
		}
	}
}

// remove takes an ID that is in the table out of it, and moves those behind it up so that no search ends early.
func (t *idTable) remove(id uint16) {
	mask := len(t.slots) - 1
	hole := int(id) & mask
	for t.slots[hole].id() != id || t.slots[hole] == 0 {
		hole = (hole + 1) & mask
	}
	for i := (hole + 1) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		home := int(t.slots[i].id()) & mask
		if (i-home)&mask >= (i-hole)&mask {
			t.slots[hole] = t.slots[i]
			hole = i
		}
	}
	t.slots[hole] = 0
	t.n--
}

// each yields every query of the table, which must not change meanwhile.
func (t *idTable) each(yield func(*pending) bool) {
	for _, s := range t.slots {
		if s != 0 && !yield(t.slab.at(s.number())) {
			return
		}
	}
}

// appendAll appends every query of the table to dst.
func (t *idTable) appendAll(dst []*pending) []*pending {
	for p := range t.each {
		dst = append(dst, p)
	}
	return dst
}
