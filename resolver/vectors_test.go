package resolver_test

import (
	"bytes"
	"context"
	"errors"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/vectors"
	"github.com/dnsq/dnsq/resolver"
)

// most is the largest vector that is sent over UDP.
const most = 4096

// later are the vectors that wait for something which is not there yet. Those for a cache and for host names have their verdict all the same.
var later = map[vectors.Later]int{vectors.Cookies: 4, vectors.Cache: 6, vectors.HostNames: 1}

// reaction is one vector, sent by the first of two servers over one transport.
type reaction struct {
	*vectors.Vector
	via  resolver.Transport
	want vectors.Want
	msg  []byte
}

// reactions are all vectors over both transports, but for those that wait.
func reactions(t *testing.T) (all []reaction) {
	t.Helper()
	for _, v := range vectors.Load(t) {
		if v.Later == vectors.Cookies {
			continue
		}
		msg := v.Message(0)
		all = append(all, reaction{v, resolver.TCP, v.WantTCP, msg})
		if len(msg) <= most {
			all = append(all, reaction{v, resolver.UDP, v.Want, msg})
		}
	}
	return all
}

// TestVectorsThatWait keeps the list of what is not tested from growing in silence.
func TestVectorsThatWait(t *testing.T) {
	got := map[vectors.Later]int{}
	for _, v := range vectors.Load(t) {
		if v.Later != "" {
			t.Logf("%s waits for %s: %s", v.ID, v.Later, v.Right)
			got[v.Later]++
		}
	}
	for what, n := range got {
		if n != later[what] {
			t.Errorf("%d vectors wait for %s, want %d", n, what, later[what])
		}
	}
	if n := len(reactions(t)); n != 2*80-3 {
		t.Errorf("%d vectors and transports, want all but the cookies' four twice, three too large for UDP", n)
	}
}

// TestVectors sends each message that some resolver got wrong.
func TestVectors(t *testing.T) {
	for _, c := range reactions(t) {
		t.Run(c.ID+"/"+c.via.String(), func(t *testing.T) {
			t.Run("memory", func(t *testing.T) { inMemory(t, c.run) })
			t.Run("loopback", func(t *testing.T) {
				t.Parallel()
				onPreferred(t, withTCP(patiently(c.run)))
			})
		})
	}
}

// TestVectorsOnEachMechanism sends one vector for each verdict through every poller and backend.
func TestVectorsOnEachMechanism(t *testing.T) {
	for _, c := range reactions(t) {
		if slices.Contains([]string{"V01", "V04", "V18", "V61", "V70", "V88"}, c.ID) {
			t.Run(c.ID+"/"+c.via.String(), func(t *testing.T) { onLoopback(t, withTCP(c.run)) })
		}
	}
}

// server is what the first server does: it sends the vector, and what is right where something right is still to come.
func (c reaction) server() dnstest.Handler {
	bad := dnstest.Vector(c.msg)
	switch c.want {
	case vectors.Drop:
		return dnstest.All(bad, dnstest.After(goodAfter, good))
	case vectors.NoEDNS:
		return dnstest.EDNS(bad, good)
	case vectors.TCP:
		return dnstest.Transports(bad, good)
	}
	return bad
}

// patiently lets tests in parallel be slow, but not as slow as a timeout.
func patiently(f func(*testing.T, *world)) func(*testing.T, *world) {
	return func(t *testing.T, w *world) {
		w.config.Timeout, w.slack = 10*time.Second, 2*time.Second
		f(t, w)
	}
}

func (c reaction) run(t *testing.T, w *world) {
	one, two := w.server(t, c.server()), w.server(t, dnstest.A(otherAddr))
	q := resolver.Query{Question: resolver.Question{Name: c.Name, Type: c.Type}}
	if c.via == resolver.TCP {
		q.Flags = resolver.OverTCP
	}
	watch := w.start()
	a, err := w.resolver(t, nil, one.Addr(), two.Addr()).ExchangeQuery(context.Background(), q)
	if err != nil {
		t.Fatalf("%v; right is: %s", err, c.Right)
	}
	got := observed{first: a.Server == one.Addr(), vector: len(a.Raw) == len(c.msg) && bytes.Equal(a.Raw[2:], c.msg[2:]), via: a.Transport}
	for _, asked := range one.Queries() {
		got.asked = append(got.asked, asking{asked.Transport, asked.EDNS})
	}
	got.asked2 = two.Counts().UDP + two.Counts().TCP
	want, length := c.expected(got)
	if !got.equal(want) {
		t.Errorf("got %+v, want %+v; right is: %s", got, want, c.Right)
	}
	watch.lasted(t, length)
}

// observed is how an exchange with two servers went.
type observed struct {
	first, vector bool // the answer is the first server's; it is the vector
	via           resolver.Transport
	asked         []asking // of the first server
	asked2        int      // of the second, how often
}

type asking struct {
	transport string
	edns      bool
}

func (o observed) equal(p observed) bool {
	return o.first == p.first && o.vector == p.vector && o.via == p.via && o.asked2 == p.asked2 && slices.Equal(o.asked, p.asked)
}

// expected is how it should have gone and how long it should have taken, given what is left to choice: over TCP, where the rest of the
// stream may be as bad, the connection may be given up.
func (c reaction) expected(got observed) (want observed, length time.Duration) {
	via := c.via.String()
	want = observed{first: true, via: c.via, asked: []asking{{via, true}}}
	switch c.want {
	case vectors.Answer:
		want.vector = true
	case vectors.Drop:
		if c.via == resolver.TCP && !got.first {
			want.first, want.asked2 = false, 1
			return want, 0
		}
		return want, goodAfter
	case vectors.Next:
		want.first, want.asked2 = false, 1
	case vectors.NoEDNS:
		want.asked = append(want.asked, asking{via, false})
	case vectors.TCP:
		want.via, want.asked = resolver.TCP, append(want.asked, asking{"tcp", true})
	}
	return want, 0
}

// lookups are what each kind of result looks like; nil: anything but what the others are.
var lookups = map[vectors.Lookup]error{
	vectors.NoData: resolver.ErrNoData, vectors.NXDomain: resolver.ErrNotFound, vectors.Loop: resolver.ErrLoop, vectors.Chain: resolver.ErrChain,
}

// TestVectorsLookup makes each vector of type A or AAAA the only reply there ever is.
func TestVectorsLookup(t *testing.T) {
	n := 0
	for _, v := range vectors.Load(t) {
		if v.Lookup == "" || v.Later == vectors.Cookies {
			continue
		}
		n++
		t.Run(v.ID, func(t *testing.T) {
			run := func(t *testing.T, w *world) { lookUpVector(t, w, v) }
			t.Run("memory", func(t *testing.T) { inMemory(t, run) })
			t.Run("loopback", func(t *testing.T) {
				t.Parallel()
				onPreferred(t, withTCP(patiently(run)))
			})
		})
	}
	if n < 60 {
		t.Errorf("%d vectors have a lookup, want most of them", n)
	}
}

func lookUpVector(t *testing.T, w *world, v *vectors.Vector) {
	h := dnstest.Vector(v.Message(0))
	if len(v.Message(0)) > most {
		h = dnstest.Transports(dnstest.Truncated(), h)
	}
	s := w.server(t, h)
	change := func(c *resolver.Config) {
		if v.Lookup == vectors.Failure {
			c.Timeout, c.Tries = 50*time.Millisecond, 1
		}
	}
	network := map[uint16]string{dns.TypeA: "ip4", dns.TypeAAAA: "ip6"}[v.Type]
	got, err := w.resolver(t, change, s.Addr()).LookupNetIP(context.Background(), network, v.Name)
	if v.Lookup == vectors.Addresses {
		slices.SortFunc(got, netip.Addr.Compare)
		if err != nil || !slices.Equal(got, v.Addresses) {
			t.Errorf("lookup = %d addresses, %v; want %d: %s", len(got), err, len(v.Addresses), v.Right)
		}
		return
	}
	if err == nil || len(got) > 0 {
		t.Fatalf("lookup = %v, %v; want %s: %s", got, err, v.Lookup, v.Right)
	}
	for kind, reason := range lookups {
		if errors.Is(err, reason) != (kind == v.Lookup) {
			t.Errorf("lookup: %v; want %s: %s", err, v.Lookup, v.Right)
		}
	}
	// A loop or a long chain is seen in the message itself (netty/netty#4771): nothing more is asked.
	if c := s.Counts(); slices.Contains([]vectors.Lookup{vectors.Loop, vectors.Chain}, v.Lookup) && c.UDP+c.TCP != 1 {
		t.Errorf("%d queries over UDP and %d over TCP, want one", c.UDP, c.TCP)
	}
}
