package resolver

import (
	"math/rand/v2"
	"testing"
)

// TestIDTableAgainstMap runs random puts and removes beside a map, at loads up to the limit.
func TestIDTableAgainstMap(t *testing.T) {
	for _, limit := range []int{1, 3, 100, maxIDs} {
		rnd := rand.New(rand.NewPCG(1, uint64(limit)))
		table := idTable{slab: new(slab)}
		model := map[uint16]*pending{}
		var ids []uint16
		for range 4 * limit {
			if id := uint16(rnd.Uint32()); len(ids) < limit && model[id] == nil {
				model[id] = table.slab.take()
				table.put(id, model[id])
				ids = append(ids, id)
			} else if len(ids) > 0 {
				i := rnd.IntN(len(ids))
				table.remove(ids[i])
				table.slab.put(model[ids[i]])
				delete(model, ids[i])
				ids[i] = ids[len(ids)-1]
				ids = ids[:len(ids)-1]
			}
		}
		if table.n != len(model) || len(table.appendAll(nil)) != len(model) {
			t.Fatalf("limit %d: table holds %d, appendAll gives %d; want %d", limit, table.n, len(table.appendAll(nil)), len(model))
		}
		for id := range 65536 {
			if got, want := table.get(uint16(id)), model[uint16(id)]; got != want {
				t.Fatalf("limit %d: get(%d) = %p, want %p", limit, id, got, want)
			}
		}
	}
}

// TestIDTableCollisions has IDs that share a slot, across the end of the table.
func TestIDTableCollisions(t *testing.T) {
	table := idTable{slab: new(slab)}
	ids := []uint16{7, 15, 23, 6, 14}
	for _, id := range ids {
		p := table.slab.take()
		p.id = id
		table.put(id, p)
	}
	for i, gone := range ids {
		table.remove(gone)
		for _, id := range ids[i+1:] {
			if p := table.get(id); p == nil || p.id != id {
				t.Fatalf("after removing %d: get(%d) = %v", gone, id, p)
			}
		}
	}
	if table.n != 0 || table.get(7) != nil {
		t.Errorf("table is not empty: %d", table.n)
	}
}

func TestAllocsIDTable(t *testing.T) {
	table := idTable{slab: new(slab)}
	p := table.slab.take()
	for id := range uint16(100) {
		table.put(id*31, p)
	}
	if n := testing.AllocsPerRun(1000, func() {
		table.remove(31)
		table.put(31, p)
	}); n != 0 {
		t.Errorf("%v allocations for a remove and a put, want 0", n)
	}
}
