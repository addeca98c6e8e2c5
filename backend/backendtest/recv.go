package backendtest

import (
	"bytes"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
)

func recvSentences() []sentence {
	return []sentence{
		{"Data is Buf[:n] and Addr the source", testData},
		{"an empty datagram is a datagram", testEmpty},
		{"a datagram longer than Buf is whole", testLong},
		{"of two long datagrams the last is whole and nothing else is lost", testTwoLong},
		{"one call receives no more than Config.Batch", testBatch},
		{"a batch of 1024", testLargestBatch},
		{"dry means that nothing was left", testDry},
		{"a short batch is dry without an empty receive, or after one", testEmptyReceives},
		{"Notify is called when there is something to receive", testNotify},
		{"what travels together comes one by one, in order, whatever the batch", testTogether},
		{"a connected socket receives from its peer alone", testConnected},
		{"Stamp is when the datagram came, where stamps are asked for and given", testStamps},
		{"an Arena serves many sockets", testArena},
	}
}

func testData(t *testing.T, h *harness) {
	to, from := h.pair(t, backend.Config{})
	for _, size := range []int{1, 12, 512, 1232, slot - 1, slot} {
		sent := pattern(size)
		from.sendAll(t, []backend.Datagram{{Data: sent}})
		batch := newBatch(2, slot)
		n := to.await(t, batch)
		d := batch[0]
		if n != 1 || d.Err != nil || d.Truncated || d.Stamp != 0 || d.Addr != from.LocalAddr() || !bytes.Equal(d.Data, sent) {
			t.Errorf("size %d: got %d entries; %d octets from %v, error %v, truncated %v, stamp %d; want 1, from %v",
				size, n, len(d.Data), d.Addr, d.Err, d.Truncated, d.Stamp, from.LocalAddr())
		}
		if &d.Data[0] != &d.Buf[0] {
			t.Errorf("size %d: Data is not in Buf", size)
		}
	}
}

// await receives into batch once there is something.
func (e *endpoint) await(t *testing.T, batch []backend.Datagram) int {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Microsecond) {
		if n, _, err := e.Recv(batch); n > 0 || err != nil {
			if err != nil {
				t.Fatalf("Recv: %v", err)
			}
			return n
		}
	}
	t.Fatalf("nothing came in %v", patience)
	return 0
}

func testEmpty(t *testing.T, h *harness) {
	to, from := h.pair(t, backend.Config{})
	from.sendAll(t, []backend.Datagram{{}, {Data: []byte("x")}, {}})
	for i, d := range to.collect(t, 3) {
		if want := i % 2; len(d.Data) != want || d.Err != nil || d.Addr != from.LocalAddr() {
			t.Errorf("entry %d: %q from %v, error %v, want %d octets from %v", i, d.Data, d.Addr, d.Err, want, from.LocalAddr())
		}
	}
}

func testLong(t *testing.T, h *harness) {
	to := h.open(t, backend.Config{RecvBuffer: 1 << 20})
	from := h.open(t, backend.Config{Remote: to.LocalAddr(), SendBuffer: 1 << 17}) // a BSD sends no datagram longer than its buffer
	for _, size := range []int{slot + 1, 4096, 40_000, maxPayload} {
		for _, buf := range []int{0, 1, slot} {
			sent := pattern(size)
			from.sendAll(t, []backend.Datagram{{Data: sent}})
			batch := newBatch(4, buf)
			if n := to.await(t, batch); n != 1 || batch[0].Truncated || !bytes.Equal(batch[0].Data, sent) {
				t.Errorf("%d octets into %d: got %d entries, %d octets, truncated %v, want them whole",
					size, buf, n, len(batch[0].Data), batch[0].Truncated)
			}
		}
	}
}

func testTwoLong(t *testing.T, h *harness) {
	to, from := h.pair(t, backend.Config{RecvBuffer: 1 << 20})
	const size = 5000
	sent := append(numbered(3, size, to.LocalAddr()), numbered(1, 100, to.LocalAddr())...)
	from.sendAll(t, sent)
	time.Sleep(settle)
	batch := newBatch(len(sent), slot)
	for got := 0; got < len(sent); {
		n := to.await(t, batch)
		last := -1
		for i := range batch[:n] {
			if len(batch[i].Data) > slot {
				last = i
			}
		}
		for i, d := range batch[:n] {
			want := sent[got+i].Data
			if d.Truncated && i != last && len(want) > slot {
				want = want[:slot] // a later one took the overflow
			}
			if !bytes.Equal(d.Data, want) {
				t.Errorf("datagram %d: %d octets, truncated %v, want %d as sent", got+i, len(d.Data), d.Truncated, len(want))
			}
		}
		got += n
	}
}

func testBatch(t *testing.T, h *harness) {
	for _, limit := range []int{1, 3} {
		to, from := h.pair(t, backend.Config{Batch: limit})
		from.sendAll(t, numbered(4, 10, to.LocalAddr()))
		time.Sleep(settle)
		batch := newBatch(8, slot)
		for got := 0; got < 4; {
			n := to.await(t, batch)
			if n > limit {
				t.Errorf("Batch %d: one call received %d", limit, n)
			}
			got += n
		}
	}
	for _, bad := range []int{-1, backend.MaxBatch + 1} {
		if s, err := h.backend.Open(backend.Config{Batch: bad}); err == nil {
			s.Close()
			t.Errorf("Batch %d was accepted", bad)
		}
	}
}

func testLargestBatch(t *testing.T, h *harness) {
	to, from := h.pair(t, backend.Config{Batch: backend.MaxBatch, RecvBuffer: 1 << 20})
	// Linux counts some 800 octets for a small datagram; without privilege it may have granted less than was asked.
	count := min(backend.MaxBatch, to.Stats().RecvBuffer/1024)
	if count == 0 || to.FD() < 0 {
		count = 200
	}
	from.sendAll(t, numbered(count, 10, to.LocalAddr()))
	time.Sleep(settle)
	batch := newBatch(backend.MaxBatch, 16)
	got := to.await(t, batch)
	if to.FD() >= 0 && got != count {
		t.Errorf("one call received %d, want %d", got, count)
	}
	for got < count {
		got += to.await(t, batch)
	}
}

// testDry counts what comes until dry: it must be everything, whatever the batch.
func testDry(t *testing.T, h *harness) {
	for _, size := range []int{1, 2, 3, 64} {
		for _, count := range []int{1, 2, 3, 5, 64} {
			to, from := h.pair(t, backend.Config{})
			from.sendAll(t, numbered(count, 10, to.LocalAddr()))
			time.Sleep(settle / 3)
			got := to.drain(t, size)
			for to.FD() < 0 && got < count && to.told() { // the net backend's goroutine may not have got that far
				got += to.drain(t, size)
			}
			if got != count {
				t.Errorf("%d at a time: %d received until dry, %d sent", size, got, count)
			}
			to.Close()
			from.Close()
		}
	}
}

// drain receives until dry and returns how many entries came.
func (e *endpoint) drain(t *testing.T, size int) (got int) {
	t.Helper()
	for range 1 << 16 {
		n, dry, err := e.Recv(newBatch(size, slot))
		if err != nil {
			t.Fatalf("Recv: %v", err)
		}
		if got += n; dry {
			return got
		}
	}
	t.Fatal("never dry")
	return 0
}

// told waits for Notify, but not for ever.
func (e *endpoint) told() bool {
	select {
	case <-e.notified:
		return true
	case <-time.After(patience):
		return false
	}
}

func testEmptyReceives(t *testing.T, h *harness) {
	to, from := h.pair(t, backend.Config{})
	batch := newBatch(2, slot)
	const wakes = 10
	for range wakes {
		from.sendAll(t, numbered(1, 10, to.LocalAddr()))
		time.Sleep(settle / 10)
		n, dry, err := to.Recv(batch)
		for i := 0; n == 0 && err == nil && i < 1000; i++ { // on a slow machine
			time.Sleep(time.Millisecond)
			n, dry, err = to.Recv(batch)
		}
		if n != 1 || !dry || err != nil {
			t.Fatalf("Recv = %d, %v, %v, want 1, true, nil", n, dry, err)
		}
	}
	// A receive of one datagram at a time needs one empty receive to know; so does one that came too early above.
	if st := to.Stats(); st.EmptyReceives > 2*wakes || to.FD() >= 0 && st.Syscalls > 4*wakes {
		t.Errorf("%d receives, %d of them empty, for %d wakes", st.Syscalls, st.EmptyReceives, wakes)
	}
}

func testNotify(t *testing.T, h *harness) {
	to, from := h.pair(t, backend.Config{})
	for range 3 {
		from.sendAll(t, numbered(2, 10, to.LocalAddr()))
		if to.FD() < 0 && !to.told() {
			t.Fatal("Notify was not called")
		}
		to.collect(t, 2)
		select {
		case <-to.notified: // the second of the two may have come behind a receive
			if to.FD() >= 0 {
				t.Fatal("Notify was called though there is a descriptor")
			}
		case <-time.After(settle / 3):
		}
	}
}

func testConnected(t *testing.T, h *harness) {
	server, stranger := h.open(t, backend.Config{}), h.open(t, backend.Config{})
	client := h.open(t, backend.Config{Remote: server.LocalAddr(), Local: h.local()})
	stranger.sendAll(t, []backend.Datagram{{Data: []byte("forged"), Addr: client.LocalAddr()}})
	time.Sleep(settle)
	server.sendAll(t, []backend.Datagram{{Data: []byte("reply"), Addr: client.LocalAddr()}})
	for _, d := range client.collect(t, 1) {
		if string(d.Data) != "reply" || d.Addr != server.LocalAddr() {
			t.Errorf("received %q from %v, want %q from %v", d.Data, d.Addr, "reply", server.LocalAddr())
		}
	}
}

func testArena(t *testing.T, h *harness) {
	arena := backend.NewArena()
	a, b := h.open(t, backend.Config{Arena: arena}), h.open(t, backend.Config{Arena: arena})
	for _, size := range []int{10, 5000} {
		sent := pattern(size)
		a.sendAll(t, []backend.Datagram{{Data: sent, Addr: b.LocalAddr()}})
		if d := b.collect(t, 1)[0]; !bytes.Equal(d.Data, sent) || d.Addr != a.LocalAddr() {
			t.Errorf("%d octets from %v came, want %d from %v", len(d.Data), d.Addr, size, a.LocalAddr())
		}
		b.sendAll(t, []backend.Datagram{{Data: sent, Addr: a.LocalAddr()}})
		if d := a.collect(t, 1)[0]; !bytes.Equal(d.Data, sent) || d.Addr != b.LocalAddr() {
			t.Errorf("%d octets from %v came, want %d from %v", len(d.Data), d.Addr, size, b.LocalAddr())
		}
	}
}
