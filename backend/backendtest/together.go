package backendtest

import (
	"bytes"
	"net/netip"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
)

// testTogether sends runs of one length, which may become trains, to a socket that has sent many at once itself.
func testTogether(t *testing.T, h *harness) {
	free := h.dead(t)
	for _, remote := range []netip.AddrPort{{}, free} {
		to := h.open(t, backend.Config{RecvBuffer: 1 << 20})
		from := h.open(t, backend.Config{Local: free, Remote: to.LocalAddr(), SendBuffer: 1 << 20})
		if remote.IsValid() {
			addr := to.LocalAddr()
			to.Close()
			to = h.open(t, backend.Config{Local: addr, Remote: remote, RecvBuffer: 1 << 20})
		}
		to.sendAll(t, numbered(2, 10, from.LocalAddr()))
		from.collect(t, 2)
		var sent []backend.Datagram
		for i, run := range []int{1, 70, 1, 3, 130, 2} {
			for k := range run {
				sent = append(sent, backend.Datagram{Addr: to.LocalAddr(), Data: pattern(40*(i+1) + k)[k:]})
			}
		}
		sent[50].Data = sent[50].Data[:7] // a train may end with a shorter one
		for _, size := range []int{1, 5, 64, len(sent), 2 * len(sent)} {
			from.sendAll(t, sent)
			time.Sleep(settle / 3)
			to.compare(t, sent, from.LocalAddr(), size)
		}
		from.Close()
	}
}

// compare receives what was sent, at most size entries at a time.
func (e *endpoint) compare(t *testing.T, sent []backend.Datagram, from netip.AddrPort, size int) {
	t.Helper()
	batch := newBatch(size, slot)
	for got := 0; got < len(sent); {
		n := e.await(t, batch)
		if n > len(sent)-got {
			t.Fatalf("%d at a time: %d entries came, want %d", size, got+n, len(sent))
		}
		for i, d := range batch[:n] {
			if want := sent[got+i].Data; !bytes.Equal(d.Data, want) || d.Addr != from || d.Err != nil || d.Truncated {
				t.Fatalf("%d at a time, datagram %d: %d octets from %v, error %v, truncated %v, want %d octets from %v",
					size, got+i, len(d.Data), d.Addr, d.Err, d.Truncated, len(want), from)
			}
		}
		got += n
	}
}
