package resolver_test

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// tcpParrot sends what comes over TCP back as replies, when it is told to.
type tcpParrot struct {
	ln    *net.TCPListener
	conns []*net.TCPConn
	buf   [1 << 16]byte
}

func newTCPParrot(t testing.TB) *tcpParrot {
	t.Helper()
	ln, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	p := &tcpParrot{ln: ln}
	t.Cleanup(func() {
		ln.Close()
		for _, c := range p.conns {
			c.Close()
		}
	})
	return p
}

func (p *tcpParrot) accept(t testing.TB) {
	c, err := p.ln.AcceptTCP()
	if err != nil {
		t.Fatal(err)
	}
	p.conns = append(p.conns, c)
}

// reply answers n queries of connection i in one write.
func (p *tcpParrot) reply(t testing.TB, i, n int) {
	c := p.conns[i]
	if err := c.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	have, next := 0, 0
	for n > 0 {
		got, err := c.Read(p.buf[have:])
		if err != nil {
			t.Fatalf("%d queries have not come: %v", n, err)
		}
		for have += got; n > 0 && have >= next+2 && have >= next+2+int(binary.BigEndian.Uint16(p.buf[next:])); n-- {
			p.buf[next+4] |= 0x80
			next += 2 + int(binary.BigEndian.Uint16(p.buf[next:]))
		}
	}
	if _, err := c.Write(p.buf[:have]); err != nil {
		t.Fatal(err)
	}
}

// TestAllocsOnceOverTCP: a message sent once over a connection that is there costs no allocation, and those that leave together over one are one write.
func TestAllocsOnceOverTCP(t *testing.T) {
	if raceDetector {
		t.Log("the race detector allocates: counted without it")
		return
	}
	raw, err := message().Pack()
	if err != nil {
		t.Fatal(err)
	}
	const each = 16
	for _, conns := range []int{1, 4} {
		for _, poller := range []string{"edge", "level"} {
			t.Run(fmt.Sprintf("conns=%d/poller=%s", conns, poller), func(t *testing.T) {
				p := newTCPParrot(t)
				at := p.ln.Addr().(*net.TCPAddr).AddrPort()
				at = netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
				e := single(t, poller, "gso", at, func(c *resolver.Config) { c.TCP.Conns, c.TCP.Together = conns, each })
				completed := 0
				queries := make([]resolver.Query, conns*each)
				for i := range queries {
					queries[i] = resolver.Query{Raw: raw, Flags: resolver.Once | resolver.OverTCP, Done: func(_ *resolver.Query, _ *resolver.Reply, err error) {
						completed++
						if err != nil {
							t.Error(err)
						}
					}}
				}
				send := func(queries []resolver.Query) {
					completed = 0
					for i := range queries {
						if err := e.Submit(&queries[i]); err != nil {
							t.Fatal(err)
						}
					}
					e.Timeouts(ioevent.Now())
				}
				take := func(n int) {
					for completed < n {
						if err := e.Turn(ioevent.Never); err != nil {
							t.Fatal(err)
						}
					}
				}
				for i := range conns {
					send(queries[:1])
					p.accept(t)
					if err := e.Turn(0); err != nil { // connected by now: the query leaves, unless it did before
						t.Fatal(err)
					}
					p.reply(t, i, 1)
					take(1)
				}
				round := func() {
					send(queries)
					for i := range conns {
						p.reply(t, i, each)
					}
					take(len(queries))
				}
				for range 100 {
					round()
				}
				n := 1.0
				for tries := 0; tries < 3 && n > 0; tries++ { // what grows grows once
					n = testing.AllocsPerRun(10, round)
				}
				if n > 0 {
					t.Errorf("%v allocations for %d queries", n, len(queries))
				}
				if st := e.Stats(); st.Dials != uint64(conns) || st.HungUp != 0 {
					t.Errorf("%d dials, %d hung up", st.Dials, st.HungUp)
				}
			})
		}
	}
}
