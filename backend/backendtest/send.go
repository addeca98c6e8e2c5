package backendtest

import (
	"errors"
	"net/netip"
	"os"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
)

func sendSentences() []sentence {
	return []sentence{
		{"Send sends in order, to each its own destination", testOrder},
		{"Send takes more than one system call can move", testManyCalls},
		{"what a full queue did not take is sent when it is writable", testQueue},
		{"an error belongs to batch[n] alone", testSendError},
		{"a destination of the other family is an error", testOtherFamily},
	}
}

func testOrder(t *testing.T, h *harness) {
	from := h.open(t, backend.Config{})
	to := []*endpoint{h.open(t, backend.Config{}), h.open(t, backend.Config{}), h.open(t, backend.Config{})}
	batch := numbered(30, 10, netip.AddrPort{})
	for i := range batch {
		batch[i].Addr = to[i%len(to)].LocalAddr()
	}
	from.sendAll(t, batch)
	for i, e := range to {
		for k, d := range e.collect(t, 10) {
			if want := i + k*len(to); int(d.Data[1]) != want || d.Addr != from.LocalAddr() {
				t.Errorf("socket %d, datagram %d: number %d from %v, want %d from %v", i, k, d.Data[1], d.Addr, want, from.LocalAddr())
			}
		}
	}
}

func testManyCalls(t *testing.T, h *harness) {
	to := h.open(t, backend.Config{RecvBuffer: 1 << 20})
	from := h.open(t, backend.Config{Remote: to.LocalAddr(), Batch: 4})
	from.sendAll(t, numbered(50, 10, to.LocalAddr()))
	for i, d := range to.collect(t, 50) {
		if int(d.Data[1]) != i {
			t.Fatalf("datagram %d came as number %d", d.Data[1], i)
		}
	}
}

// testQueue sends more than the queue of the net backend holds. A kernel's does not fill on the loopback interface.
func testQueue(t *testing.T, h *harness) {
	to := h.open(t, backend.Config{})
	from := h.open(t, backend.Config{Remote: to.LocalAddr()})
	for batch := numbered(2000, 10, to.LocalAddr()); len(batch) > 0; {
		n, err := from.Send(batch)
		if err != nil {
			t.Fatalf("Send: %v", err)
		}
		if batch = batch[n:]; len(batch) > 0 && from.FD() < 0 && !from.told() {
			t.Fatalf("Notify was not called with %d datagrams left", len(batch))
		}
	}
}

// testSendError sends one that is too big between two that are not: sendmmsg(2) reports the first and hides why it stopped.
func testSendError(t *testing.T, h *harness) {
	to := h.open(t, backend.Config{})
	for _, cfg := range []backend.Config{{Remote: to.LocalAddr()}, {}} {
		from := h.open(t, cfg)
		batch := numbered(3, 10, to.LocalAddr())
		batch[1].Data = make([]byte, 65535)
		n, err := from.Send(batch)
		if n != 1 || !errors.Is(err, backend.ErrTooBig) {
			t.Fatalf("Send = %d, %v, want 1, %v", n, err, backend.ErrTooBig)
		}
		if n, err := from.Send(batch[2:]); n != 1 || err != nil {
			t.Errorf("Send of the rest = %d, %v, want 1, nil", n, err)
		}
		if _, ok := errors.AsType[*os.SyscallError](err); !ok && from.FD() >= 0 {
			t.Errorf("%v does not wrap an os.SyscallError", err)
		}
		for i, d := range to.collect(t, 2) {
			if int(d.Data[1]) != 2*i {
				t.Errorf("datagram %d came, want %d", d.Data[1], 2*i)
			}
		}
		time.Sleep(settle)
		if n, _, err := from.Recv(newBatch(2, slot)); n != 0 || err != nil {
			t.Errorf("the sender receives %d, %v, want nothing", n, err)
		}
	}
}

func testOtherFamily(t *testing.T, h *harness) {
	other := netip.MustParseAddrPort("[::1]:9")
	if h.loopback.Is6() {
		other = netip.MustParseAddrPort("127.0.0.1:9")
	}
	from, to := h.open(t, backend.Config{}), h.open(t, backend.Config{})
	n, err := from.Send([]backend.Datagram{{Data: []byte("x"), Addr: other}})
	if n != 0 || err == nil {
		t.Errorf("Send to %v = %d, %v, want an error", other, n, err)
	}
	from.sendAll(t, []backend.Datagram{{Data: []byte("y"), Addr: to.LocalAddr()}})
	to.collect(t, 1)
	if s, err := h.backend.Open(backend.Config{Local: h.local(), Remote: other}); err == nil && !h.memory() {
		s.Close()
		t.Errorf("Open from %v to %v succeeded", h.local(), other)
	}
}
