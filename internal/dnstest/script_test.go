package dnstest_test

import (
	"net"
	"net/netip"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
)

// rcodes are the response codes of datagrams.
func rcodes(t *testing.T, datagrams []string) (codes []int) {
	t.Helper()
	for _, d := range datagrams {
		codes = append(codes, unpack(t, d).Rcode)
	}
	return codes
}

func TestSeq(t *testing.T) {
	s := dnstest.Start(t, dnstest.Seq(dnstest.Rcode(1), dnstest.Silent, dnstest.Rcode(3)))
	q, other := query(t, dns.TypeA, false), query(t, dns.TypeAAAA, false)
	if got, want := rcodes(t, ask(t, s, 4, q, q, q, q, other)), []int{1, 3, 3, 1}; !slices.Equal(got, want) {
		t.Errorf("codes %v, want %v", got, want)
	}
	reads, _ := stream(t, dnstest.Start(t, dnstest.Seq(dnstest.Rcode(1), dnstest.Close)), q, q)
	if len(reads) != 1 || reads[0][5]&0xf != 1 {
		t.Errorf("over TCP %x, want one reply with code 1", reads)
	}
}

func TestAfter(t *testing.T) {
	const d = 60 * time.Millisecond
	s := dnstest.Start(t, dnstest.All(dnstest.After(2*d, dnstest.Rcode(2)), dnstest.After(d, dnstest.Rcode(1)), dnstest.Rcode(0)))
	start := time.Now()
	got := rcodes(t, ask(t, s, 3, query(t, dns.TypeA, false)))
	if want := []int{0, 1, 2}; !slices.Equal(got, want) || time.Since(start) < 2*d {
		t.Errorf("codes %v after %v, want %v after %v", got, time.Since(start), want, 2*d)
	}
}

func TestCloseEndsAfter(t *testing.T) {
	s := dnstest.Start(t, dnstest.All(dnstest.Rcode(0), dnstest.After(time.Hour, dnstest.Rcode(1))))
	ask(t, s, 1, query(t, dns.TypeA, false))
	s.Close() // must not wait an hour
	s.Close()
}

func TestCloseWaits(t *testing.T) {
	began := make(chan struct{})
	var ended atomic.Bool
	s := dnstest.Start(t, func(*dnstest.Writer, dnstest.Request) {
		close(began)
		time.Sleep(quiet)
		ended.Store(true)
	})
	dial(t, "udp", s).Write(query(t, dns.TypeA, false))
	<-began
	s.Close()
	if !ended.Load() {
		t.Error("Close returned while a handler was running")
	}
}

func TestChoice(t *testing.T) {
	named := func(name string) []byte {
		m := new(dns.Msg).SetQuestion(name, dns.TypeA)
		msg, err := m.Pack()
		if err != nil {
			t.Fatal(err)
		}
		return msg
	}
	s := dnstest.Start(t, dnstest.Each(map[string]dnstest.Handler{
		"a.example.": dnstest.Rcode(1),
		"":           dnstest.ByType(map[uint16]dnstest.Handler{dns.TypeA: dnstest.Rcode(2), 0: dnstest.Rcode(3)}),
	}))
	got := rcodes(t, ask(t, s, 3, named("A.Example."), named("b.example."), query(t, dns.TypeMX, false)))
	if want := []int{1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("codes %v, want %v", got, want)
	}
	s.Handle(dnstest.Each(map[string]dnstest.Handler{"a.example.": dnstest.ByType(nil)}))
	ask(t, s, 0, named("a.example."), named("b.example."))
}

func TestGather(t *testing.T) {
	step := dnstest.ByType(map[uint16]dnstest.Handler{dns.TypeA: dnstest.Rcode(1), dns.TypeAAAA: dnstest.Rcode(2)})
	a, aaaa := query(t, dns.TypeA, false), query(t, dns.TypeAAAA, false)
	for _, tt := range []struct {
		order func(int) []int
		want  []int
	}{
		{dnstest.InOrder, []int{1, 2, 1, 2}},
		{dnstest.Reversed, []int{2, 1, 2, 1}},
	} {
		s := dnstest.Start(t, dnstest.Gather(2, tt.order, step))
		if got := rcodes(t, ask(t, s, 4, a, aaaa, a, aaaa, a)); !slices.Equal(got, tt.want) {
			t.Errorf("codes %v, want %v", got, tt.want)
		}
	}
}

func TestCounts(t *testing.T) {
	s := dnstest.Start(t, dnstest.Transports(dnstest.Rcode(0), dnstest.Close))
	a, aaaa := query(t, dns.TypeA, false), query(t, dns.TypeAAAA, false)
	ask(t, s, 3, a, a, aaaa, []byte("no query"), nil)
	stream(t, s, a)
	if got, want := s.Counts(), (dnstest.Counts{UDP: 3, TCP: 1, Conns: 1, Junk: 2}); got != want {
		t.Errorf("Counts() = %+v, want %+v", got, want)
	}
	if got, want := s.Asked("WWW.example.com", dns.TypeA), (dnstest.Counts{UDP: 2, TCP: 1}); got != want {
		t.Errorf("Asked(A) = %+v, want %+v", got, want)
	}
	if got := s.Asked("example.com", dns.TypeA); got != (dnstest.Counts{}) {
		t.Errorf("Asked of what was not asked = %+v", got)
	}
	log := s.Queries()
	if len(log) != 4 {
		t.Fatalf("%d queries logged, want 4", len(log))
	}
	for i, want := range []struct {
		transport string
		n         int
		qtype     uint16
	}{{dnstest.UDP, 1, dns.TypeA}, {dnstest.UDP, 2, dns.TypeA}, {dnstest.UDP, 1, dns.TypeAAAA}, {dnstest.TCP, 1, dns.TypeA}} {
		q := log[i]
		if q.Transport != want.transport || q.N != want.n || q.Question.Qtype != want.qtype || q.ID() != 0x1234 || !q.From.Addr().IsLoopback() {
			t.Errorf("query %d: %+v, want %+v", i, q, want)
		}
	}
}

func TestFromOtherPort(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
		t.Run(addr, func(t *testing.T) {
			pc, err := net.ListenPacket("udp", addr)
			if err != nil {
				t.Skipf("no %s here: %v", addr, err)
			}
			defer pc.Close()
			s := dnstest.StartAt(t, netip.MustParseAddrPort(addr), dnstest.FromOtherPort(dnstest.A("192.0.2.1")))
			if _, err := pc.WriteTo(query(t, dns.TypeA, false), net.UDPAddrFromAddrPort(s.Addr())); err != nil {
				t.Fatal(err)
			}
			pc.SetReadDeadline(time.Now().Add(wait))
			_, from, err := pc.ReadFrom(make([]byte, 512))
			if err != nil {
				t.Fatal(err)
			}
			got := from.(*net.UDPAddr).AddrPort()
			if got.Addr() != s.Addr().Addr() || got.Port() == s.Addr().Port() {
				t.Errorf("reply from %v, want another port of %v", got, s.Addr())
			}
		})
	}
}

func TestNobody(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("the network that Go fakes on js has no ICMP")
	}
	addr := dnstest.Nobody(t).String()
	c, err := net.Dial("udp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Write([]byte("x"))
	c.SetReadDeadline(time.Now().Add(wait))
	if _, err := c.Read(make([]byte, 1)); err == nil || isTimeout(err) {
		t.Errorf("UDP: %v, want refused", err)
	}
	if c, err := net.Dial("tcp", addr); err == nil {
		c.Close()
		t.Error("TCP: connected")
	}
}

func isTimeout(err error) bool {
	n, ok := err.(net.Error)
	return ok && n.Timeout()
}
