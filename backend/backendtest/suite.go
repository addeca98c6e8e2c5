package backendtest

import (
	"bytes"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/require"
)

const (
	slot     = 2048                  // octets of Buf, where a test does not say otherwise
	patience = 5 * time.Second       // for what must come
	settle   = 30 * time.Millisecond // for what has been sent to have arrived, or not
)

// TestBackend holds b to the contract of its sockets and streams, over IPv4 and IPv6 on the loopback interface. The caller has probed it.
func TestBackend(t *testing.T, b backend.Backend) {
	t.Run("Socket", func(t *testing.T) { TestSocket(t, b) })
	t.Run("Stream", func(t *testing.T) {
		TestStream(t, b, func(addr netip.AddrPort) (net.Listener, error) { return net.Listen("tcp", addr.String()) })
	})
}

// sentence is a sentence of the contract and the test that holds a backend to it.
type sentence struct {
	name string
	test func(t *testing.T, h *harness)
}

// TestSocket holds the sockets of b to their contract.
func TestSocket(t *testing.T, b backend.Backend) {
	run(t, &harness{backend: b}, recvSentences(), sendSentences(), errorSentences(), lifeSentences())
}

func run(t *testing.T, h *harness, lists ...[]sentence) {
	for family, loopback := range map[string]netip.Addr{
		"IPv4": netip.AddrFrom4([4]byte{127, 0, 0, 1}),
		"IPv6": netip.IPv6Loopback(),
	} {
		t.Run(family, func(t *testing.T) {
			h := *h
			h.loopback = loopback
			h.needFamily(t)
			for _, list := range lists {
				for _, s := range list {
					t.Run(s.name, func(t *testing.T) { s.test(t, &h) })
				}
			}
		})
	}
}

// needFamily skips the test on a machine without IPv6.
func (h *harness) needFamily(t *testing.T) {
	t.Helper()
	s, err := h.backend.Open(backend.Config{Local: h.local()})
	switch {
	case err == nil:
		s.Close()
	case h.loopback.Is6():
		require.Skip(t, "no IPv6: %v", err)
	default:
		t.Fatal(err)
	}
}

// A harness opens what a test needs.
type harness struct {
	backend  backend.Backend
	loopback netip.Addr
	listen   func(netip.AddrPort) (net.Listener, error) // for streams
}

// local is any port of the loopback address.
func (h *harness) local() netip.AddrPort { return netip.AddrPortFrom(h.loopback, 0) }

// memory says that there is no kernel below.
func (h *harness) memory() bool { return h.backend.Name == "memory" }

// queues says that the backend has the octets of what an ICMP error is about, also on an unconnected socket.
func (h *harness) queues(s backend.Socket) bool { return h.memory() || errorQueue && s.FD() >= 0 }

// An endpoint is an open socket and what a test knows about it.
type endpoint struct {
	backend.Socket
	notified chan struct{}
}

// open opens a socket, on the loopback address if cfg says nothing.
func (h *harness) open(t *testing.T, cfg backend.Config) *endpoint {
	t.Helper()
	e := &endpoint{notified: make(chan struct{}, 1)}
	if !cfg.Local.IsValid() && !cfg.Remote.IsValid() {
		cfg.Local = h.local()
	}
	cfg.Notify = func() {
		select {
		case e.notified <- struct{}{}:
		default:
		}
	}
	var err error
	if e.Socket, err = h.backend.Open(cfg); err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// pair opens a socket and one that is connected to it.
func (h *harness) pair(t *testing.T, cfg backend.Config) (to, from *endpoint) {
	t.Helper()
	to = h.open(t, cfg)
	return to, h.open(t, backend.Config{Remote: to.LocalAddr()})
}

// dead returns an address of the loopback interface that nobody listens on.
func (h *harness) dead(t *testing.T) netip.AddrPort {
	t.Helper()
	e := h.open(t, backend.Config{})
	defer e.Close()
	return e.LocalAddr()
}

// newBatch returns n entries with a Buf of size octets each, and junk in the rest: Recv has to set it.
func newBatch(n, size int) []backend.Datagram {
	batch := make([]backend.Datagram, n)
	for i := range batch {
		batch[i] = backend.Datagram{Buf: make([]byte, size), Err: net.ErrClosed, Truncated: true, Stamp: 1, Data: []byte("junk")}
	}
	return batch
}

// collect receives until it has want entries, which it copies; it fails when they do not come.
func (e *endpoint) collect(t *testing.T, want int) []backend.Datagram {
	t.Helper()
	var all []backend.Datagram
	batch := newBatch(8, slot)
	for end := time.Now().Add(patience); len(all) < want; {
		n, _, err := e.Recv(batch)
		if err != nil {
			t.Fatalf("Recv: %v, after %d of %d entries", err, len(all), want)
		}
		for _, d := range batch[:n] {
			d.Data = bytes.Clone(d.Data)
			all = append(all, d)
		}
		if n == 0 {
			if time.Now().After(end) {
				t.Fatalf("%d entries came in %v, want %d", len(all), patience, want)
			}
			time.Sleep(200 * time.Microsecond)
		}
	}
	return all
}

// sendAll sends batch, waiting where the queue is full; an error fails the test.
func (e *endpoint) sendAll(t *testing.T, batch []backend.Datagram) {
	t.Helper()
	for end := time.Now().Add(patience); len(batch) > 0; {
		n, err := e.Send(batch)
		if err != nil {
			t.Fatalf("Send: %v", err)
		}
		if batch = batch[n:]; len(batch) > 0 {
			if time.Now().After(end) {
				t.Fatalf("%d datagrams not sent in %v", len(batch), patience)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// numbered returns count datagrams of size octets that begin with their number.
func numbered(count, size int, to netip.AddrPort) []backend.Datagram {
	batch := make([]backend.Datagram, count)
	for i := range batch {
		data := make([]byte, size)
		data[0], data[1] = byte(i>>8), byte(i)
		batch[i] = backend.Datagram{Data: data, Addr: to}
	}
	return batch
}

// pattern is size octets that differ from place to place.
func pattern(size int) []byte {
	p := make([]byte, size)
	for i := range p {
		p[i] = byte(i ^ i>>8)
	}
	return p
}
