package responder

import (
	"net/netip"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// newHot returns a socket of a shard that nobody turns, on which a batch of queries waits.
func newHot(tb testing.TB, c Config) *udpSocket {
	tb.Helper()
	if err := c.check(); err != nil {
		tb.Fatal(err)
	}
	z, err := c.load()
	if err != nil {
		tb.Fatal(err)
	}
	sh := newShard(&Server{cfg: c, zone: z, gate: newGate(&c.Faults)})
	if sh.loop, err = ioevent.NewLoop(ioevent.Config{Mechanism: c.Poller}); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { sh.loop.Close() })
	msg, err := question("www.example.com.", dns.TypeA).Pack()
	if err != nil {
		tb.Fatal(err)
	}
	in := make([]backend.Datagram, batchSize)
	for i := range in {
		in[i] = backend.Datagram{Data: msg, Addr: netip.AddrPortFrom(netip.IPv6Loopback(), 1)}
	}
	s := &scripted{in: in, room: 1 << 62}
	u := &udpSocket{shard: sh, sock: s, out: outbox{sock: s, tally: &sh.tally}}
	u.timer.Init(u)
	return u
}

func TestAnswerAllocations(t *testing.T) {
	for name, c := range map[string]Config{
		"zone": {}, "pattern": {Pattern: []string{DefaultPattern}}, "loss": {Faults: Faults{Loss: 0.5}}, "limit": {Faults: Faults{Limit: 1e9}},
	} {
		t.Run(name, func(t *testing.T) {
			u := newHot(t, c)
			run := func() { u.HandleEvent(ioevent.Event{}); u.Expire(0) }
			for range 100 {
				run() // warm
			}
			if n := testing.AllocsPerRun(100, run); n != 0 {
				t.Errorf("%v allocations a batch", n)
			}
			u.shard.counters.move(&u.shard.tally)
			if got := u.shard.counters[received].Load(); got == 0 || got%201 != 0 {
				t.Errorf("%d received", got)
			}
		})
	}
}

// What a late thread finds is old until it has seen the end of it.
func TestBehind(t *testing.T) {
	u := newHot(t, Config{Faults: Faults{Limit: 1}})
	s := u.sock.(*scripted)
	u.since, u.behind, s.more = 42, true, true
	for _, tt := range []struct{ more, old bool }{{true, true}, {false, true}, {false, false}} {
		s.more = tt.more
		u.HandleEvent(ioevent.Event{})
		if old := u.since == 42; old != tt.old || u.behind != tt.more {
			t.Errorf("more %v: old %v, behind %v", tt.more, old, u.behind)
		}
	}
}

// The timer is set for the first that is due, also where that came last.
func TestTimerOfHeld(t *testing.T) {
	u := newHot(t, Config{Faults: Faults{Delay: 1}})
	for _, tt := range []struct{ due, want ioevent.Time }{{300, 300}, {200, 200}, {400, 200}} {
		due, want := u.shard.loop.Now()+tt.due*second, u.shard.loop.Now()+tt.want*second
		u.held.push(due, netip.AddrPort{}, nil)
		u.finish()
		if !u.timer.Active() || u.timer.At() != want {
			t.Errorf("the timer is set for %v, want %v", u.timer.At()-u.shard.loop.Now(), want-u.shard.loop.Now())
		}
	}
}

func BenchmarkAnswer(b *testing.B) {
	for name, c := range map[string]Config{"zone": {}, "pattern": {Pattern: []string{DefaultPattern}}} {
		b.Run(name, func(b *testing.B) {
			u := newHot(b, c)
			for b.Loop() {
				u.HandleEvent(ioevent.Event{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(u.shard.counters[received].Load()), "ns/answer")
		})
	}
}
