package backendtest_test

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/backend/backendtest"
	"github.com/dnsq/dnsq/internal/require"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

var server = netip.MustParseAddrPort("192.0.2.53:53")

// arrivals opens a server, sends count datagrams of one octet, their number, and returns when each came, counted from the sends.
func arrivals(t *testing.T, f backendtest.Faults, count int) (numbers []byte, times []time.Duration) {
	t.Helper()
	n := backendtest.NewNetwork()
	defer n.Close()
	n.SetFaults(f)
	pc, err := n.ListenPacket(server)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, n, backend.Config{})
	start := time.Now()
	for i := range count {
		if got, err := s.Send([]backend.Datagram{{Data: []byte{byte(i)}, Addr: server}}); got != 1 || err != nil {
			t.Fatalf("Send = %d, %v, want 1, nil", got, err)
		}
	}
	pc.SetReadDeadline(start.Add(time.Hour))
	for {
		buf := make([]byte, 16)
		_, from, err := pc.ReadFrom(buf)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return numbers, times
		}
		if err != nil || from.String() != s.LocalAddr().String() {
			t.Fatalf("ReadFrom: from %v, error %v, want from %v", from, err, s.LocalAddr())
		}
		numbers, times = append(numbers, buf[0]), append(times, time.Since(start))
	}
}

func open(t *testing.T, n *backendtest.Network, cfg backend.Config) backend.Socket {
	t.Helper()
	s, err := n.Backend().Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestFaults(t *testing.T) {
	sorted := slices.IsSorted[[]byte]
	for _, tt := range []struct {
		name     string
		faults   backendtest.Faults
		least    int // of 100
		most     int
		min, max time.Duration
		inOrder  bool
	}{
		{"none", backendtest.Faults{}, 100, 100, 0, 0, true},
		{"loss of all", backendtest.Faults{Loss: 1}, 0, 0, 0, 0, true},
		{"loss of a third", backendtest.Faults{Loss: 0.33}, 50, 85, 0, 0, true},
		{"duplicates", backendtest.Faults{Duplicate: 1}, 200, 200, 0, 0, true},
		{"delay", backendtest.Faults{Delay: 2 * time.Second}, 100, 100, 2 * time.Second, 2 * time.Second, true},
		{"jitter", backendtest.Faults{Delay: time.Second, Jitter: time.Second}, 100, 100, time.Second, 2 * time.Second, false},
		{"reorder", backendtest.Faults{Delay: time.Second, Reorder: 0.5}, 100, 100, time.Second, 2*time.Second + time.Millisecond, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				numbers, times := arrivals(t, tt.faults, 100)
				if len(numbers) < tt.least || len(numbers) > tt.most {
					t.Errorf("%d datagrams came, want %d to %d", len(numbers), tt.least, tt.most)
				}
				if len(times) > 0 && (slices.Min(times) < tt.min || slices.Max(times) > tt.max) {
					t.Errorf("they came after %v to %v, want %v to %v", slices.Min(times), slices.Max(times), tt.min, tt.max)
				}
				if sorted(numbers) != tt.inOrder {
					t.Errorf("in order: %v, want %v", sorted(numbers), tt.inOrder)
				}
			})
		})
	}
}

func TestErrorsComeBack(t *testing.T) {
	for _, tt := range []struct {
		name  string
		setup func(*backendtest.Network)
		want  error
	}{
		{"nobody listens", func(*backendtest.Network) {}, backend.ErrRefused},
		{"unreachable", func(n *backendtest.Network) { n.Unreachable(server.Addr()) }, backend.ErrUnreachable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := backendtest.NewNetwork()
				defer n.Close()
				n.SetFaults(backendtest.Faults{Delay: time.Second})
				tt.setup(n)
				ready := make(chan time.Time, 1)
				s := open(t, n, backend.Config{Notify: func() { ready <- time.Now() }})
				start := time.Now()
				if _, err := s.Send([]backend.Datagram{{Data: []byte("query"), Addr: server}}); err != nil {
					t.Fatal(err)
				}
				if d := (<-ready).Sub(start); d != 2*time.Second {
					t.Errorf("the error came after %v, want 2s, there and back", d)
				}
				batch := make([]backend.Datagram, 2)
				got, dry, err := s.Recv(batch)
				if got != 1 || !dry || err != nil {
					t.Fatalf("Recv = %d, %v, %v, want 1, true, nil", got, dry, err)
				}
				if d := batch[0]; !errors.Is(d.Err, tt.want) || d.Addr != server || string(d.Data) != "query" {
					t.Errorf("got %v about %q to %v, want %v about %q to %v", d.Err, d.Data, d.Addr, tt.want, "query", server)
				}
				if st, err := n.Backend().Dial(backend.Config{Remote: server, Notify: func() { ready <- time.Now() }}); err != nil {
					t.Error(err)
				} else {
					<-ready
					if _, err := st.Read(make([]byte, 1)); !errors.Is(err, tt.want) {
						t.Errorf("a dial failed with %v, want %v", err, tt.want)
					}
					st.Close()
				}
			})
		})
	}
}

func TestFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := backendtest.NewNetwork()
		defer n.Close()
		pc, err := n.ListenPacket(server)
		if err != nil {
			t.Fatal(err)
		}
		defer pc.Close()
		ready := make(chan bool, 8)
		s := open(t, n, backend.Config{Remote: server, Notify: func() { ready <- true }})
		n.Full(2)
		for i, want := range []int{0, 0, 1} {
			if got, err := s.Send([]backend.Datagram{{Data: []byte("query")}}); got != want || err != nil {
				t.Errorf("Send %d = %d, %v, want %d, nil", i, got, err, want)
			}
			if want == 0 {
				<-ready
			}
		}
	})
}

func TestCloseEndsWhatBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := backendtest.NewNetwork()
		pc, err := n.ListenPacket(server)
		if err != nil {
			t.Fatal(err)
		}
		ln, err := n.Listen(server)
		if err != nil {
			t.Fatal(err)
		}
		errs := make(chan error, 2)
		go func() { _, _, err := pc.ReadFrom(nil); errs <- err }()
		go func() { _, err := ln.Accept(); errs <- err }()
		synctest.Wait()
		n.Close()
		for range cap(errs) {
			if err := <-errs; !errors.Is(err, net.ErrClosed) {
				t.Errorf("got %v, want net.ErrClosed", err)
			}
		}
	})
}
