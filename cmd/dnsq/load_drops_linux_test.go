package main

import (
	"net/netip"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/internal/nettest"
	"github.com/dnsq/dnsq/internal/require"
)

// TestLoadDrops gives the client next to no receive buffer, in a network namespace of its own, and a server that answers 200 queries at once. What the kernel
// counts as dropped is what the result calls so, to the packet, and no answer is missing otherwise; also where answers travel as a train.
func TestLoadDrops(t *testing.T) {
	for _, x := range []struct{ client, server string }{
		{"gso", "gso"}, {"gso", "recvmmsg"}, {"recvmmsg", "gso"}, {"recvfrom", "recvmmsg"}, {"uring", "gso"},
	} {
		t.Run(x.client+" from "+x.server, func(t *testing.T) {
			if f := require.Backend(); f != "" && f != x.client {
				t.Skip("another backend is forced")
			}
			for _, name := range []string{x.client, x.server} {
				if _, err := backend.Named(name); err != nil {
					require.Skip(t, "%v", err)
				}
			}
			far := nettest.Pair(t, false)
			s := startBursts(t, far, x.server)
			before := bufferErrors(t)
			l := loadProcess(t, "-s", s.socket.LocalAddr().String(), "-b", "4", "-c", "1", "-q", "200", "--count", "600", "-t", "0.4", "--backend", x.client)
			code, r := l.end(t, 60*time.Second)
			s.stop()
			if r == nil {
				t.Fatalf("exit code %d, no result:\n%s", code, l.says())
			}
			t.Logf("completed %d, lost %+v; the server sent %d, the kernel dropped %d", r.Completed, r.Lost, s.sent, bufferErrors(t)-before)
			if dropped := bufferErrors(t) - before; r.Lost != (result.Lost{ClientDrop: dropped, Late: r.Lost.Late}) || dropped == 0 {
				t.Errorf("lost %+v; the kernel dropped %d", r.Lost, dropped)
			}
			if r.Sent != 600 || s.received != r.Sent || s.sent != r.Sent || r.Completed+r.Lost.ClientDrop+r.Lost.Late != s.sent {
				t.Errorf("sent %d, completed %d, lost %+v; the server received %d and sent %d", r.Sent, r.Completed, r.Lost, s.received, s.sent)
			}
			if code != exitInvalid || r.Verdict != result.Invalid || len(r.Reasons) == 0 || r.Reasons[0].Code != result.CodeClientDrop {
				t.Errorf("exit code %d, %s %+v; want %d for %s", code, r.Verdict, r.Reasons, exitInvalid, result.CodeClientDrop)
			}
		})
	}
}

// bufferErrors is how often a receive queue of the namespace of the calling thread was full (udp(7)).
func bufferErrors(t *testing.T) uint64 {
	t.Helper()
	text, err := os.ReadFile("/proc/thread-self/net/snmp")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\nUdp: ") // one of names, and one of values
	values := strings.Fields(lines[2])
	for i, name := range strings.Fields(lines[1]) {
		if name == "RcvbufErrors" {
			n, err := strconv.ParseUint(values[i], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("no RcvbufErrors")
	return 0
}

// bursts is a server that answers 200 queries at once, or all it has where no more come.
type bursts struct {
	socket         backend.Socket
	received, sent uint64
	held           []backend.Datagram
	quit, done     chan struct{}
}

// startBursts opens the server in the far namespace.
func startBursts(t *testing.T, far *nettest.Far, name string) *bursts {
	t.Helper()
	b, err := backend.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	s := &bursts{quit: make(chan struct{}), done: make(chan struct{})}
	far.Do(func() {
		at := netip.AddrPortFrom(netip.MustParseAddr(nettest.FarAddress), 0)
		s.socket, err = b.Open(backend.Config{Local: at, RecvBuffer: 1 << 20, SendBuffer: 4 << 20})
	})
	if err != nil {
		t.Fatal(err)
	}
	go s.serve()
	return s
}

// stop ends the server, whose counts may then be read.
func (s *bursts) stop() {
	close(s.quit)
	<-s.done
}

func (s *bursts) serve() {
	defer close(s.done)
	defer s.socket.Close()
	batch := make([]backend.Datagram, 64)
	for i := range batch {
		batch[i].Buf = make([]byte, 512)
	}
	last := time.Now()
	for {
		select {
		case <-s.quit:
			return
		default:
		}
		n, _, err := s.socket.Recv(batch)
		if err != nil {
			return
		}
		for _, d := range batch[:n] {
			s.hold(d)
			last = time.Now()
		}
		if len(s.held) >= 200 || time.Since(last) > 20*time.Millisecond {
			s.release()
		}
		if n == 0 {
			time.Sleep(100 * time.Microsecond)
		}
	}
}

func (s *bursts) hold(d backend.Datagram) {
	if d.Err == nil && len(d.Data) > 2 {
		s.received++
		msg := append([]byte(nil), d.Data...)
		msg[2] |= 0x80 // QR
		s.held = append(s.held, backend.Datagram{Data: msg, Addr: d.Addr})
	}
}

func (s *bursts) release() {
	for len(s.held) > 0 {
		n, err := s.socket.Send(s.held[:min(64, len(s.held))])
		if err != nil {
			return
		}
		s.sent += uint64(n)
		s.held = s.held[n:]
	}
}
