package resolver_test

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/nettest"
	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// TestBusyPollsTheDevice asks a server over a device with NAPI. The kernel counts the packets that it took off the device for somebody who waited:
// there are some where the loop polls, with the sockets or alone, else none.
func TestBusyPollsTheDevice(t *testing.T) {
	for _, tt := range []struct {
		name    string
		latency ioevent.Latency
		sockets backend.BusyPoll
		polls   bool
	}{
		{"sleep", ioevent.Sleep, backend.BusyPoll{}, false},
		{"spin", ioevent.Spin, backend.BusyPoll{}, false},
		{"busy", ioevent.Busy, backend.BusyPoll{}, true},
		{"busy, the loop alone", ioevent.Busy, backend.BusyPoll{Budget: 8}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ioevent.ForLatency(tt.latency); err != nil {
				require.Skip(t, "%v", err)
			}
			far := nettest.Pair(t, true)
			cfg := resolver.Config{Servers: []resolver.Server{{Addr: farServer(t, far)}}, Latency: tt.latency}
			cfg.Socket.BusyPoll = tt.sockets
			e, err := resolver.NewEngine(cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			before := busyPolled(t)
			const most = 200_000 // twenty seconds at most: whether a reply comes while the device is polled is up to who runs where
			asked, end := 0, time.Now().Add(20*time.Second)
			q := &resolver.Query{Question: resolver.Question{Name: "a.example.", Type: dns.TypeA}}
			q.Done = func(q *resolver.Query, _ *resolver.Reply, err error) {
				if err != nil {
					t.Error(err)
				}
				asked++
				enough := tt.polls && asked%50 == 0 && busyPolled(t) > before || !tt.polls && asked == 500
				if enough || asked == most || err != nil || time.Now().After(end) {
					e.Quit()
				} else if err := e.Submit(q); err != nil {
					t.Error(err)
				}
			}
			if err := e.Submit(q); err != nil {
				t.Fatal(err)
			}
			if err := e.Run(); err != nil {
				t.Error(err)
			}
			if n := busyPolled(t) - before; (n > 0) != tt.polls {
				t.Errorf("%d packets busy polled in %d queries, want some: %v", n, asked, tt.polls)
			}
		})
	}
}

// farServer answers in the far namespace.
func farServer(t *testing.T, far *nettest.Far) netip.AddrPort {
	t.Helper()
	var pc net.PacketConn
	var ln net.Listener
	var err error
	far.Do(func() {
		if pc, err = net.ListenPacket("udp", nettest.FarAddress+":0"); err != nil {
			return
		}
		ln, err = net.Listen("tcp", pc.LocalAddr().String())
	})
	if err != nil {
		t.Fatal(err)
	}
	return dnstest.StartOn(t, pc.(*net.UDPConn), ln, dnstest.A("192.0.2.9")).Addr()
}

// busyPolled is BusyPollRxPackets of this thread's namespace.
func busyPolled(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/thread-self/net/netstat")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		names, values := strings.Fields(lines[i]), strings.Fields(lines[i+1])
		if at := slices.Index(names, "BusyPollRxPackets"); at >= 0 {
			n, err := strconv.Atoi(values[at])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	require.Skip(t, "the kernel does not count what it polls")
	return 0
}
