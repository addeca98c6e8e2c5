package responder

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/miekg/dns"
)

func TestListenSeveral(t *testing.T) {
	any4 := netip.MustParseAddrPort("127.0.0.1:0")
	s := open(t, Config{Listen: []netip.AddrPort{any4, any4}})
	addrs := s.Addrs()
	if len(addrs) != 2 || addrs[0] == addrs[1] {
		t.Fatal(addrs)
	}
	for _, a := range addrs {
		for _, network := range []string{"udp", "tcp"} {
			c := &dns.Client{Net: network}
			if r, _, err := c.Exchange(question("www.example.com.", dns.TypeA), a.String()); err != nil || len(r.Answer) != 1 {
				t.Errorf("%s %v: %v, %v", network, a, r, err)
			}
		}
	}
}

func TestOneTransport(t *testing.T) {
	for _, tt := range []struct {
		c         Config
		open, not string
	}{{Config{NoTCP: true}, "udp", "tcp"}, {Config{NoUDP: true}, "tcp", "udp"}} {
		s := open(t, tt.c)
		if r := ask(t, s, tt.open, question("www.example.com.", dns.TypeA)); len(r.Answer) != 1 {
			t.Errorf("%s: %v", tt.open, r)
		}
		c := &dns.Client{Net: tt.not, Timeout: 200 * time.Millisecond}
		if r, _, err := c.Exchange(question("www.example.com.", dns.TypeA), s.Addr().String()); err == nil {
			t.Errorf("%s: %v", tt.not, r)
		}
	}
	if _, err := Open(Config{NoTCP: true, NoUDP: true}); err == nil {
		t.Error("neither was taken")
	}
}

// Threads share the address, and each client gets its answer from one of them.
func TestThreads(t *testing.T) {
	s, err := Open(Config{Threads: 3})
	if err != nil && reusePort("", 0) != nil {
		t.Log("one thread here: ", err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const n = 64
	for range n {
		c, err := net.Dial("udp", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		(&client{t, c}).send(7)
		if _, ok := (&client{t, c}).receive(2 * time.Second); !ok {
			t.Error("no answer")
		}
		c.Close()
	}
	if st := settled(t, s, n); st.Answered != n {
		t.Errorf("%+v", st)
	}
	busy := 0
	for _, sh := range s.shards {
		if sh.counters[answered].Load() > 0 {
			busy++
		}
	}
	if busy < 2 {
		t.Errorf("%d of 3 threads answered %d clients", busy, n)
	}
}

// What the kernel had no room for is counted.
func TestDroppedKernel(t *testing.T) {
	s := open(t, Config{Faults: Faults{Stall: Stall{Length: 300 * time.Millisecond}}})
	c := dialUDP(t, s)
	c.send(0)
	c.receive(time.Second)
	const n = 60_000
	msg := make([]byte, 100)
	for range n {
		c.net.Write(msg)
	}
	if st := settled(t, s, n+1); st.DroppedKernel > 0 {
		t.Logf("%d of %d dropped", st.DroppedKernel, n)
	} else if st.Received != n+1 {
		t.Errorf("%+v", st)
	}
}
