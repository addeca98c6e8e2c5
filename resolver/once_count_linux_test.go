package resolver_test

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// parrot sends queries back as replies with a code, when it is told to.
type parrot struct {
	conn *net.UDPConn
	buf  [2048]byte
}

func newParrot(t testing.TB) *parrot {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &parrot{conn: conn}
}

func (p *parrot) addr() netip.AddrPort {
	a := p.conn.LocalAddr().(*net.UDPAddr).AddrPort()
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

// reply answers n queries.
func (p *parrot) reply(t testing.TB, n int, rcode byte) {
	if err := p.conn.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for range n {
		size, from, err := p.conn.ReadFromUDPAddrPort(p.buf[:])
		if err != nil {
			t.Fatal(err)
		}
		p.buf[2] |= 0x80
		p.buf[3] = rcode
		if _, err := p.conn.WriteToUDPAddrPort(p.buf[:size], from); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAllocsOnce: a message of the caller's, sent once, costs no allocation, whatever the server answers. It is the same memory for all.
func TestAllocsOnce(t *testing.T) {
	if raceDetector {
		t.Log("the race detector allocates: counted without it")
		return
	}
	const burst = 64
	raw, err := message().Pack() // longer than what a query holds in place
	if err != nil {
		t.Fatal(err)
	}
	for _, rcode := range []byte{dns.RcodeSuccess, dns.RcodeServerFailure, dns.RcodeNameError, dns.RcodeFormatError} {
		p := newParrot(t)
		e := single(t, "edge", "gso", p.addr(), nil)
		completed := 0
		queries := make([]resolver.Query, burst)
		for i := range queries {
			queries[i] = resolver.Query{Flags: resolver.Once, Done: func(_ *resolver.Query, r *resolver.Reply, err error) {
				completed++
				if err != nil || r.Rcode != uint16(rcode) {
					t.Errorf("%+v, %v", r, err)
				}
			}}
		}
		round := func() {
			completed = 0
			for i := range queries {
				queries[i].Raw = raw
				if err := e.Submit(&queries[i]); err != nil {
					t.Fatal(err)
				}
			}
			e.Timeouts(ioevent.Now())
			p.reply(t, burst, rcode)
			for completed < burst {
				e.IOEvent(ioevent.Now())
			}
		}
		for range 100 {
			round()
		}
		n := 1.0
		for tries := 0; tries < 3 && n > 0; tries++ { // what grows grows once
			n = testing.AllocsPerRun(10, round)
		}
		if n > 0 {
			t.Errorf("rcode %d: %v allocations for %d queries", rcode, n, burst)
		}
	}
}
