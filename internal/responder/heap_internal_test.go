package responder

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/dnsq/dnsq/ioevent"
)

// What comes out is in the order of due, then of coming, with its own octets.
func TestHeap(t *testing.T) {
	type entry struct {
		due ioevent.Time
		seq int
	}
	random := rand.New(rand.NewPCG(1, 2))
	var h heap
	var want []entry
	for seq := 0; seq < 5000 || h.len() > 0; seq++ {
		if seq < 5000 && random.IntN(3) > 0 {
			e := entry{ioevent.Time(random.IntN(100)), seq}
			h.push(e.due, netip.AddrPortFrom(netip.IPv6Loopback(), uint16(seq)), []byte{byte(seq), byte(seq >> 8)})
			want = append(want, e)
			continue
		}
		if h.len() == 0 {
			continue
		}
		next := slices.MinFunc(want, func(a, b entry) int {
			if a.due != b.due {
				return int(a.due - b.due)
			}
			return a.seq - b.seq
		})
		want = slices.DeleteFunc(want, func(e entry) bool { return e == next })
		got := h.pop()
		if got.due != next.due || int(got.addr.Port()) != next.seq || len(got.data) != 2 || got.data[0] != byte(next.seq) || got.data[1] != byte(next.seq>>8) {
			t.Fatalf("got %+v, want %+v", got, next)
		}
	}
	if len(want) != 0 {
		t.Errorf("%d are missing", len(want))
	}
	if n := testing.AllocsPerRun(100, func() { h.push(1, netip.AddrPort{}, []byte{1}); h.pop() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
