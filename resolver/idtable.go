package resolver

// maxIDs is how many queries may be outstanding on one socket or connection: at three quarters of all IDs a random free one is still found in four
// draws, and a forger still has to guess.
const maxIDs = 49152

// idTable finds the query behind a message ID. IDs are random, so the ID is its own hash; collisions go to the next slot.
type idTable struct {
	slots []idSlot // a power of two long, at most 65,536
	n     int
}

type idSlot struct {
	p  *pending
	id uint16
}

// get returns the query with that ID, or nil.
func (t *idTable) get(id uint16) *pending {
	if t.n == 0 {
		return nil
	}
	mask := len(t.slots) - 1
	for i := int(id) & mask; t.slots[i].p != nil; i = (i + 1) & mask {
		if t.slots[i].id == id {
			return t.slots[i].p
		}
	}
	return nil
}

// put adds a query under an ID that is not in the table.
func (t *idTable) put(id uint16, p *pending) {
	if 4*(t.n+1) > 3*len(t.slots) {
		t.grow()
	}
	t.insert(id, p)
	t.n++
}

func (t *idTable) insert(id uint16, p *pending) {
	mask := len(t.slots) - 1
	i := int(id) & mask
	for t.slots[i].p != nil {
		i = (i + 1) & mask
	}
	t.slots[i] = idSlot{p, id}
}

func (t *idTable) grow() {
	old := t.slots
	t.slots = make([]idSlot, max(8, 2*len(old)))
	for _, s := range old {
		if s.p != nil {
			t.insert(s.id, s.p)
		}
	}
}

// remove takes an ID that is in the table out of it, and moves those behind it up so that no search ends early.
func (t *idTable) remove(id uint16) {
	mask := len(t.slots) - 1
	hole := int(id) & mask
	for t.slots[hole].id != id || t.slots[hole].p == nil {
		hole = (hole + 1) & mask
	}
	for i := (hole + 1) & mask; t.slots[i].p != nil; i = (i + 1) & mask {
		home := int(t.slots[i].id) & mask
		if (i-home)&mask >= (i-hole)&mask {
			t.slots[hole] = t.slots[i]
			hole = i
		}
	}
	t.slots[hole] = idSlot{}
	t.n--
}

// appendAll appends every query of the table to dst.
func (t *idTable) appendAll(dst []*pending) []*pending {
	for _, s := range t.slots {
		if s.p != nil {
			dst = append(dst, s.p)
		}
	}
	return dst
}
