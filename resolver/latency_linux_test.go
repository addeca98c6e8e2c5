package resolver_test

import (
	"context"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
	"golang.org/x/sys/unix"
)

// TestLatencySetsSockets looks at the options of the socket that a query leaves from.
func TestLatencySetsSockets(t *testing.T) {
	s := dnstest.Start(t, dnstest.A("192.0.2.1"))
	for _, tt := range []struct {
		latency ioevent.Latency
		given   time.Duration
		usec    int
	}{
		{ioevent.Sleep, 0, 0},
		{ioevent.Sleep, 20 * time.Microsecond, 20},
		{ioevent.Busy, 0, 50},
		{ioevent.Busy, 20 * time.Microsecond, 20},
		{ioevent.Spin, 0, 0},
	} {
		if _, err := ioevent.ForLatency(tt.latency); err != nil {
			require.Skip(t, "%v", err)
		}
		seen := make(chan int, 10)
		cfg := resolver.Config{Servers: []resolver.Server{{Addr: s.Addr()}}, Latency: tt.latency}
		cfg.Socket = backend.Config{BusyPoll: backend.BusyPoll{Time: tt.given}, Control: func(_ string, fd uintptr) error {
			usec, err := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_BUSY_POLL)
			seen <- usec
			return err
		}}
		r, err := resolver.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		if _, err := r.Exchange(ctx, resolver.Question{Name: "a.example.", Type: 1}); err != nil {
			t.Error(err)
		}
		cancel()
		r.Close()
		if got := <-seen; got != tt.usec {
			t.Errorf("%v, %v given: SO_BUSY_POLL is %d µs, want %d", tt.latency, tt.given, got, tt.usec)
		}
	}
}
