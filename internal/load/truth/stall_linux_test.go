package truth_test

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load"
)

// waiting is a query that the server has read.
type waiting struct {
	msg  []byte
	from netip.AddrPort
}

// stallOnce answers on a socket of loopback, all in order, and stands still for 200 ms when two seconds have passed since the first query. What comes
// meanwhile is read, so that nothing is lost.
func stallOnce(t *testing.T) netip.AddrPort {
	t.Helper()
	c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadBuffer(4 << 20) // as much as it may have
	queue, done := make(chan waiting, 1<<16), make(chan struct{})
	go func() {
		defer close(queue)
		for {
			msg := make([]byte, 64)
			n, from, err := c.ReadFromUDPAddrPort(msg)
			if err != nil {
				return
			}
			queue <- waiting{msg[:n], from}
		}
	}()
	go func() {
		defer close(done)
		var first time.Time
		stalled := false
		for w := range queue {
			if first.IsZero() {
				first = time.Now()
			}
			if !stalled && time.Since(first) >= 2*time.Second {
				stalled = true
				time.Sleep(200 * time.Millisecond)
			}
			w.msg[2] |= 0x80 // QR
			_, _ = c.WriteToUDPAddrPort(w.msg, w.from)
		}
	}()
	t.Cleanup(func() {
		c.Close()
		<-done
	})
	return c.LocalAddr().(*net.UDPAddr).AddrPort()
}

// TestRealStall is TestStall in real time. A machine that is busy with other things may be late by as much as the run says it was, and gets more tries, for
// the times alone.
func TestRealStall(t *testing.T) {
	const tries = 3
	for try := 1; ; try++ {
		r := run(t, t.Context(), load.Plan{
			Servers: []load.Server{{Addr: stallOnce(t)}}, Set: ask(t, "www.example.com A"), Rate: load.At(5000), Duration: 5 * time.Second,
			Lag: 5 * time.Second, Timeout: 2 * time.Second,
		})
		if r.Sent != 25000 || r.Planned != 25000 {
			t.Errorf("sent %d and planned %d, want 25000", r.Sent, r.Planned)
		}
		t.Logf("response p50 %v p99 %v max %v us, service p50 %v, pacing p50 %v p99 %v", r.Response.P50, r.Response.P99, r.Response.Max, r.Service.P50, r.Pacing.P50, r.Pacing.P99)
		if r.Response.P99 > 130e3 && r.Response.P99 < 190e3+r.Pacing.P99 && r.Response.P50-r.Service.P50 < 5e3+r.Pacing.P99 && r.Completed > r.Sent*98/100 {
			return
		}
		if try == tries {
			t.Fatalf("completed %d, lost %+v, response %+v, service %+v; want a p99 of 150 ms", r.Completed, r.Lost, r.Response, r.Service)
		}
	}
}
