package backend_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"golang.org/x/sys/unix"
)

// watch returns a function that waits for the next event of s, 0 for none in a while.
func watch(t *testing.T, s backend.Socket, events uint32) (event func() uint32) {
	t.Helper()
	ep, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(ep) })
	ev := unix.EpollEvent{Events: events}
	if err := unix.EpollCtl(ep, unix.EPOLL_CTL_ADD, s.FD(), &ev); err != nil {
		t.Fatal(err)
	}
	evs := make([]unix.EpollEvent, 1)
	return func() uint32 {
		evs[0].Events = 0
		for err = unix.EINTR; err == unix.EINTR; {
			_, err = unix.EpollWait(ep, evs, 5000)
		}
		return evs[0].Events
	}
}

// TestEdges receives what comes in bursts, looking only after an edge and then until dry: none is missed.
func TestEdges(t *testing.T) {
	described(t, func(t *testing.T, b backend.Backend) {
		to := open(t, b, backend.Config{Local: loopback, RecvBuffer: 1 << 20, Batch: 4})
		from := open(t, b, backend.Config{Remote: to.LocalAddr()})
		const bursts = 200
		sent := 0
		for i := range bursts {
			sent += 1 + i%11
		}
		var done sync.WaitGroup
		defer done.Wait()
		done.Go(func() {
			for i := range bursts {
				for n := range 1 + i%11 {
					if k, err := from.Send([]backend.Datagram{{Data: []byte{byte(n)}}}); k != 1 || err != nil {
						t.Errorf("Send = %d, %v, want 1, nil", k, err)
					}
				}
				time.Sleep(time.Duration(i%7) * 50 * time.Microsecond)
			}
		})
		edge := watch(t, to, unix.EPOLLIN|unix.EPOLLET)
		batch := []backend.Datagram{{Buf: make([]byte, 8)}, {Buf: make([]byte, 8)}, {Buf: make([]byte, 8)}}
		for got := 0; got < sent; {
			if edge() == 0 {
				t.Fatalf("no edge for 5s, %d of %d received", got, sent)
			}
			for dry := false; !dry; {
				var n int
				var err error
				if n, dry, err = to.Recv(batch); err != nil {
					t.Fatal(err)
				}
				got += n
			}
		}
	})
}

// TestEdgeOfReport has an error make an edge, also where a send has seen it already.
func TestEdgeOfReport(t *testing.T) {
	described(t, func(t *testing.T, b backend.Backend) {
		gone := open(t, b, backend.Config{Local: loopback})
		dead := gone.LocalAddr()
		gone.Close()
		s := open(t, b, backend.Config{Remote: dead})
		edge := watch(t, s, unix.EPOLLIN|unix.EPOLLET)
		for sends := range 4 {
			out := make([]backend.Datagram, 1+sends) // the first fails at once, which the second finds out
			if n, err := s.Send(out); n != len(out) || err != nil {
				t.Fatalf("Send = %d, %v, want %d, nil", n, err, len(out))
			}
			for reports := 0; reports < 1+sends; {
				if edge() == 0 {
					t.Fatalf("no edge for 5s, %d of %d reports", reports, 1+sends)
				}
				for dry := false; !dry; {
					batch := []backend.Datagram{{Buf: make([]byte, 64)}, {Buf: make([]byte, 64)}}
					var n int
					var err error
					if n, dry, err = s.Recv(batch); err != nil {
						t.Fatal(err)
					}
					for _, d := range batch[:n] {
						if !errors.Is(d.Err, backend.ErrRefused) {
							t.Errorf("got %q, %v, want %v", d.Data, d.Err, backend.ErrRefused)
						}
						reports++
					}
				}
			}
		}
	})
}

// TestRoom fills the send queue and goes on when the descriptor is writable, under either trigger, without turning meanwhile.
func TestRoom(t *testing.T) {
	for name, trigger := range map[string]uint32{"level": 0, "edge": unix.EPOLLET} {
		t.Run(name, func(t *testing.T) {
			inNamespace(t, slow("4mbit", 1_000_000), func(t *testing.T, b backend.Backend) {
				s := open(t, b, backend.Config{Remote: neighbour, SendBuffer: 4608})
				batch := make([]backend.Datagram, 200) // a train of sixty is taken as one
				for i := range batch {
					batch[i].Data = make([]byte, 1000)
				}
				full, wakes := 0, 0
				event := watch(t, s, unix.EPOLLIN|unix.EPOLLOUT|trigger)
				for len(batch) > 0 {
					ready := event()
					wakes++
					if ready == 0 {
						t.Fatalf("no event for 5s, %d datagrams left", len(batch))
					}
					for dry := ready&unix.EPOLLIN == 0; !dry; {
						_, dry, _ = s.Recv(make([]backend.Datagram, 4))
					}
					if ready&unix.EPOLLOUT == 0 {
						continue
					}
					n, err := s.Send(batch)
					if err != nil {
						t.Fatalf("Send: %v", err)
					}
					if batch = batch[n:]; len(batch) > 0 {
						full++
					}
				}
				if full == 0 || wakes > 2*full+5 {
					t.Errorf("%d wakes, the queue was full %d times", wakes, full)
				}
			})
		})
	}
}
