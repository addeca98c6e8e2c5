package truth_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load"
	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/internal/realtest"
	"github.com/dnsq/dnsq/resolver"
)

// questions have types and names of all sorts: what is there, what is not, by type or by name, an alias, and what does not fit into a datagram.
var questions = []string{
	"test SOA", "test NS", "test MX", "ns.test A", "ns.test AAAA", "com.test A", "com.test TXT", "net.test AAAA", "nothing.test A", "no.such.test MX",
	"octets.special.test TXT", "link18.special.test A", "x.wild.special.test A", "not.there.special.test TXT", "many.special.test A",
}

// A sighted server is asked what it and the kernel counted since it was begun.
type sighted struct {
	*realtest.Server
	before realtest.Counts
	drops  uint64
}

// eachServer runs f against Knot, NSD and Unbound.
func eachServer(t *testing.T, f func(t *testing.T, s *sighted)) {
	zones, anchor, err := realtest.Zones(strings.NewReader("com\nnet\norg\nco.uk\nblogspot.com\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, software := range realtest.List() {
		t.Run(software.Name, func(t *testing.T) {
			f(t, &sighted{Server: realtest.Start(t, software, zones, anchor)})
		})
	}
}

func (s *sighted) begin(t *testing.T) { s.before, s.drops = s.Counts(t), s.Drops(t) }

// since waits until the server has seen want queries, with those that the kernel dropped at its socket, and returns what it has.
func (s *sighted) since(t *testing.T, want uint64) (c realtest.Counts, drops uint64) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		c, drops = s.Counts(t).Sub(s.before), s.Drops(t)-s.drops
		if c.UDP+c.TCP+drops >= want || time.Now().After(deadline) {
			return c, drops
		}
	}
}

// TestServersCount has each server's own counters, and its socket's drops, say what the result says: how many came by which transport, of which types,
// and with which codes they were answered.
func TestServersCount(t *testing.T) {
	closed := load.Plan{Outstanding: 100, Count: 20000}
	open := load.Plan{Rate: load.At(8000), Count: 8000, Lag: 5 * time.Second, Timeout: 3 * time.Second, Threads: 2, Arrival: load.Poisson}
	eachServer(t, func(t *testing.T, s *sighted) {
		for _, tt := range []struct {
			name string
			load.Plan
			via resolver.Transport
		}{
			{"closed UDP", closed, resolver.UDP}, {"open UDP", open, resolver.UDP}, {"closed TCP", closed, resolver.TCP}, {"open TCP", open, resolver.TCP},
		} {
			t.Run(tt.name, func(t *testing.T) {
				p := tt.Plan
				p.Transport, p.Servers, p.Set = tt.via, []load.Server{{Addr: s.Addr}}, ask(t, questions...)
				s.begin(t)
				r := run(t, t.Context(), p)
				if r.Sent != p.Count || r.Verdict != result.Valid && r.Lost.ClientDrop == 0 {
					t.Errorf("sent %d of %d, unsent %+v, lost %+v, %s %+v", r.Sent, p.Count, r.Unsent, r.Lost, r.Verdict, r.Reasons)
				}
				s.compare(t, r)
			})
		}
	})
}

// compare holds r to the server's own counts.
func (s *sighted) compare(t *testing.T, r *result.Result) {
	t.Helper()
	c, drops := s.since(t, r.Sent)
	t.Logf("sent %d: received %d over UDP, %d over TCP, dropped %d; lost %+v", r.Sent, c.UDP, c.TCP, drops, r.Lost)
	if r.Plan.Transport == "tcp" && (c.TCP != r.Sent || c.UDP != 0) || r.Plan.Transport == "udp" && (c.UDP+drops != r.Sent || c.TCP != 0) {
		t.Errorf("sent %d; the server received %d over UDP and %d over TCP, and %d were dropped at its socket", r.Sent, c.UDP, c.TCP, drops)
	}
	if r.Lost.Total()-r.Lost.Late-r.Lost.ClientDrop != drops {
		t.Errorf("%d lost, %+v; %d were dropped", r.Lost.Total(), r.Lost, drops)
	}
	if r.Lost.Total() > 0 { // of which types nobody knows
		return
	}
	types, rcodes := totals(r)
	if !maps.Equal(types, c.Types) || !maps.Equal(rcodes, c.Rcodes) {
		t.Errorf("types %v, codes %v; the server has %v and %v", types, rcodes, c.Types, c.Rcodes)
	}
	if r.Plan.Transport == "udp" != (r.Truncated > 0) {
		t.Errorf("%d answers were cut short", r.Truncated)
	}
}

// TestOverload sends more at once than a server that stands still has room for: what it did not receive was dropped at its socket, to the packet, and is
// lost as timeout, which says nothing against the run.
func TestOverload(t *testing.T) {
	const burst = 8000
	eachServer(t, func(t *testing.T, s *sighted) {
		s.begin(t)
		resume, err := s.Pause()
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer resume()
			for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
				if s.Drops(t) > s.drops {
					return
				}
			}
		}()
		r := run(t, t.Context(), load.Plan{
			Servers: []load.Server{{Addr: s.Addr}}, Set: ask(t, questions...), Outstanding: burst, Count: burst, Timeout: 2 * time.Second,
		})
		<-done
		c, drops := s.since(t, burst)
		t.Logf("completed %d, lost %+v; the server received %d, and %d were dropped", r.Completed, r.Lost, c.UDP, drops)
		if r.Sent != burst || c.UDP+drops != burst || drops == 0 {
			t.Errorf("sent %d; received %d, dropped %d", r.Sent, c.UDP, drops)
		}
		if r.Lost.Timeout != drops || r.Completed+r.Lost.Late+r.Lost.ClientDrop != c.UDP || r.Verdict != result.Valid && r.Lost.ClientDrop == 0 {
			t.Errorf("completed %d of %d received, lost %+v with %d dropped, %s %+v", r.Completed, c.UDP, r.Lost, drops, r.Verdict, r.Reasons)
		}
	})
}

// TestCutShort interrupts an open run and a closed one: what was outstanding was sent all the same.
func TestCutShort(t *testing.T) {
	eachServer(t, func(t *testing.T, s *sighted) {
		for _, p := range []load.Plan{{Rate: load.At(5000)}, {Outstanding: 100}} {
			p.Servers, p.Set = []load.Server{{Addr: s.Addr}}, ask(t, questions...)
			s.begin(t)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			r := run(t, ctx, p)
			cancel()
			if c, drops := s.since(t, r.Sent); c.UDP+drops != r.Sent || r.Sent == 0 {
				t.Errorf("sent %d, %d of them interrupted; received %d, dropped %d", r.Sent, r.Interrupted, c.UDP, drops)
			}
		}
	})
}
