package truth_test

import (
	"math"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dnsq/dnsq/backend/backendtest"
	"github.com/dnsq/dnsq/internal/load"
	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/ioevent"
)

// aLittle is what each way takes, and each answer: a timer of a bubble that fires at once is run by whoever sets it, and where two do that at a time the race
// detector of Go 1.26 breaks (runtime.(*timer).unlockAndRun lends both of them the one context).
const aLittle = time.Microsecond

// inMemory runs f in a bubble with a server on a network in memory. For each query, the n-th that came, answer says how long until its answer, and whether
// there is one. f completes the plan that it is given and runs it.
func inMemory(t *testing.T, answer func(n int) (time.Duration, bool), f func(t *testing.T, p load.Plan)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		poller, err := ioevent.Named("chan")
		if err != nil {
			t.Fatal(err)
		}
		network := backendtest.NewNetwork()
		defer network.Close()
		network.SetFaults(backendtest.Faults{Delay: aLittle})
		server, err := network.ListenPacket(netip.MustParseAddrPort("192.0.2.53:53"))
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		go respond(server, answer)
		f(t, load.Plan{
			Servers: []load.Server{{Addr: netip.MustParseAddrPort("192.0.2.53:53")}}, Set: ask(t, "www.example.com A"),
			Backend: network.Backend(), Poller: poller,
		})
	})
}

// respond sends each query back as its own answer, until the socket is closed.
func respond(c net.PacketConn, answer func(n int) (time.Duration, bool)) {
	for n := 0; ; n++ {
		msg := make([]byte, 512)
		size, from, err := c.ReadFrom(msg)
		if err != nil {
			return
		}
		msg = msg[:size]
		msg[2] |= 0x80 // QR
		if after, yes := answer(n); yes {
			time.AfterFunc(max(after, aLittle), func() { c.WriteTo(msg, from) })
		}
	}
}

// TestLoss has a server lose a fifth, by lot: as many as it says are lost as timeout, nothing else is lost, and the run is valid.
func TestLoss(t *testing.T) {
	for _, p := range []load.Plan{{Outstanding: 100, Count: 10000}, {Rate: load.At(10000), Count: 10000, Threads: 2}} {
		var lost atomic.Uint64
		lots := rand.New(rand.NewPCG(1, 2))
		drop := func(int) (time.Duration, bool) {
			if lots.Float64() < 0.2 {
				lost.Add(1)
				return 0, false
			}
			return time.Millisecond, true
		}
		inMemory(t, drop, func(t *testing.T, q load.Plan) {
			p.Servers, p.Set, p.Backend, p.Poller = q.Servers, q.Set, q.Backend, q.Poller
			r := run(t, t.Context(), p)
			if r.Lost != (result.Lost{Timeout: lost.Load()}) || r.Verdict != result.Valid || len(r.Reasons) > 0 {
				t.Errorf("lost %+v, and the server lost %d; %s %+v", r.Lost, lost.Load(), r.Verdict, r.Reasons)
			}
			if share := float64(r.Lost.Total()) / float64(r.Sent); r.Sent != p.Count || math.Abs(share-0.2) > 0.01 {
				t.Errorf("lost %v of %d", share, r.Sent)
			}
		})
	}
}

// TestPercentiles has a server answer after times of known shares: each percentile is the right one of them, but for the three digits that a histogram
// keeps.
func TestPercentiles(t *testing.T) {
	const count = 10000
	type delay struct{ upTo, ms int }
	delays := []delay{{4000, 10}, {8000, 20}, {9200, 50}, {9950, 100}, {9995, 200}, {count, 1000}} // of so many
	slow := func(n int) (time.Duration, bool) {
		n = n * 7919 % count
		i := slices.IndexFunc(delays, func(d delay) bool { return n < d.upTo })
		return time.Duration(delays[i].ms) * time.Millisecond, true
	}
	for name, p := range map[string]load.Plan{
		"closed": {Outstanding: 50, Count: count}, "open": {Rate: load.At(5000), Count: count}, "poisson": {Rate: load.At(5000), Count: count, Arrival: load.Poisson, Threads: 2},
	} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, slow, func(t *testing.T, q load.Plan) {
				p.Servers, p.Set, p.Backend, p.Poller = q.Servers, q.Set, q.Backend, q.Poller
				r := run(t, t.Context(), p)
				for _, l := range []result.Latency{r.Service, r.Response, r.ResponseTimeout, r.Targets[0].Service} {
					for _, x := range []struct{ got, ms float64 }{
						{l.Min, 10}, {l.P50, 20}, {l.P75, 20}, {l.P90, 50}, {l.P95, 100}, {l.P99, 100}, {l.P999, 200}, {l.P9999, 1000}, {l.Max, 1000},
						{l.Mean, 0.4*10 + 0.4*20 + 0.12*50 + 0.075*100 + 0.0045*200 + 0.0005*1000},
					} {
						if d := math.Abs(x.got - x.ms*1000); d > x.ms {
							t.Errorf("%v us, want %v ms: %+v", x.got, x.ms, l)
						}
					}
				}
			})
		})
	}
}

// stalling is a server that answers at once but for the 200 ms that it stands still in, from the third second on.
func stalling(start time.Time) func(int) (time.Duration, bool) {
	const from, length = 2 * time.Second, 200 * time.Millisecond
	return func(int) (time.Duration, bool) {
		at := time.Since(start)
		if at < from || at >= from+length {
			return 0, true
		}
		return from + length - at, true
	}
}

// TestStall: the stall is 4 % of the run, so the 99th percentile of the response time is three quarters of it. What a client that waits would not see.
func TestStall(t *testing.T) {
	var stall func(int) (time.Duration, bool)
	inMemory(t, func(n int) (time.Duration, bool) {
		if stall == nil {
			stall = stalling(time.Now())
		}
		return stall(n)
	}, func(t *testing.T, p load.Plan) {
		p.Rate, p.Duration = load.At(5000), 5*time.Second
		r := run(t, t.Context(), p)
		if r.Sent != 25000 || r.Completed != 25000 || r.Verdict != result.Valid {
			t.Errorf("completed %d of %d, %s %+v", r.Completed, r.Sent, r.Verdict, r.Reasons)
		}
		if math.Abs(r.Response.P99-150e3) > 1000 || math.Abs(r.Response.Max-200e3) > 400 || r.Response.P50-r.Service.P50 > 0.1 {
			t.Errorf("response %+v, service %+v; want a p99 of 150 ms", r.Response, r.Service)
		}
		seconds := 0
		for _, s := range r.BySecond {
			if s.Max > 1000 {
				seconds++
			}
		}
		if seconds != 1 || r.BySecond[2].Max < 199e3 {
			t.Errorf("%d seconds have the stall: %+v", seconds, r.BySecond)
		}
	})
}
