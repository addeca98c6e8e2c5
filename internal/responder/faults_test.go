package responder

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// A client is one UDP socket that notes what comes and when.
type client struct {
	tb  testing.TB
	net net.Conn
}

func dialUDP(tb testing.TB, s *Server) *client {
	tb.Helper()
	c, err := net.Dial("udp", s.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close() })
	return &client{tb, c}
}

func (c *client) send(id uint16) {
	c.tb.Helper()
	m := new(dns.Msg).SetQuestion("www.example.com.", dns.TypeA)
	m.Id = id
	msg, err := m.Pack()
	if err != nil {
		c.tb.Fatal(err)
	}
	if _, err := c.net.Write(msg); err != nil {
		c.tb.Fatal(err)
	}
}

// receive returns the ID of a reply, false where none comes within so long.
func (c *client) receive(within time.Duration) (id uint16, ok bool) {
	c.tb.Helper()
	c.net.SetReadDeadline(time.Now().Add(within))
	buf := make([]byte, 4096)
	n, err := c.net.Read(buf)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return 0, false
	}
	if err != nil || n < headerLen {
		c.tb.Fatal(n, err)
	}
	return binary.BigEndian.Uint16(buf), true
}

// settled waits until everything that was sent has come and returns the counts.
func settled(tb testing.TB, s *Server, sent uint64) Stats {
	tb.Helper()
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		if st := s.Stats(); st.Received+st.DroppedKernel >= sent && st.Held == 0 {
			return st
		}
		if time.Now().After(end) {
			tb.Fatalf("%d were sent; %+v", sent, s.Stats())
		}
	}
}

// losses is which of n queries a server answers.
func losses(tb testing.TB, f Faults, n int) (answers []bool, st Stats) {
	tb.Helper()
	s := open(tb, Config{Faults: f})
	c := dialUDP(tb, s)
	answers = make([]bool, n)
	for i := range n {
		c.send(uint16(i))
		if (i+1)%40 != 0 && i+1 != n {
			continue
		}
		before := st.Answered
		st = settled(tb, s, uint64(i+1))
		for range st.Answered - before { // as many as the client's socket has room for
			id, ok := c.receive(5 * time.Second)
			if !ok {
				tb.Fatal("an answer is missing")
			}
			answers[id] = true
		}
	}
	return answers, st
}

// The share is lost, which is counted, and the same seed loses the same queries.
func TestLoss(t *testing.T) {
	const n = 400
	first, st := losses(t, Faults{Loss: 0.2, Seed: 1}, n)
	got := 0
	for _, a := range first {
		if a {
			got++
		}
	}
	if st.Received != n || st.Answered+st.Lost != n || uint64(got) != st.Answered || st.Lost < 50 || st.Lost > 110 {
		t.Errorf("%d came back; %+v", got, st)
	}
	same, _ := losses(t, Faults{Loss: 0.2, Seed: 1}, n)
	other, _ := losses(t, Faults{Loss: 0.2, Seed: 2}, n)
	differ := false
	for i := range first {
		if first[i] != same[i] {
			t.Fatalf("query %d fares differently with the same seed", i)
		}
		differ = differ || first[i] != other[i]
	}
	if !differ {
		t.Error("another seed loses the same queries")
	}
	if _, st := losses(t, Faults{Loss: 1}, 10); st.Lost != 10 || st.Answered != 0 {
		t.Errorf("of everything: %+v", st)
	}
}

// Each answer is late by the delay and not by the sum of those before it, with every poller and backend, and over TCP.
func TestDelay(t *testing.T) {
	const delay, n = 50 * time.Millisecond, 40
	each(t, func(t *testing.T, c Config) {
		c.Delay = delay
		s := open(t, c)
		u, tcp := dialUDP(t, s), dial(t, s)
		begin := time.Now()
		for i := range n {
			u.send(uint16(i))
		}
		tcp.Write(frames(t, n))
		for i := range uint16(n) {
			if id, ok := u.receive(5 * time.Second); !ok || id != i {
				t.Fatalf("reply %d, want %d", id, i)
			}
			if id := readID(t, tcp); id != i {
				t.Fatalf("reply %d over TCP, want %d", id, i)
			}
			if d := time.Since(begin); d < delay || d > n*delay/2 {
				t.Fatalf("reply %d after %v", i, d)
			}
		}
	})
}

// each runs test with each backend and poller that go together here.
func each(t *testing.T, test func(*testing.T, Config)) {
	for _, p := range ioevent.List() {
		for _, b := range backend.List() {
			if p.Probe() != nil || b.Probe() != nil || b.Descriptors && !p.Files {
				continue
			}
			t.Run("poller="+p.Name+"/backend="+b.Name, func(t *testing.T) { test(t, Config{Backend: b, Poller: p}) })
		}
	}
}

// A reply that is late does not hold one that is not.
func TestJitterReorders(t *testing.T) {
	s := open(t, Config{Faults: Faults{Jitter: 50 * time.Millisecond}})
	c, tcp := dialUDP(t, s), dial(t, s)
	const n = 30
	for i := range n {
		c.send(uint16(i))
	}
	tcp.Write(frames(t, n))
	ordered, orderedTCP := true, true
	for i := range uint16(n) {
		id, ok := c.receive(5 * time.Second)
		if !ok {
			t.Fatal("a reply is missing")
		}
		ordered = ordered && id == i
		orderedTCP = orderedTCP && readID(t, tcp) == i
	}
	if ordered || orderedTCP {
		t.Errorf("in order: over UDP %v, over TCP %v", ordered, orderedTCP)
	}
	if st := settled(t, s, 2*n); st.Answered != 2*n || st.OverTCP != n || st.Connections != 1 {
		t.Errorf("%+v", st)
	}
}

// In a stall nothing is answered; what came meanwhile is answered after it.
func TestStall(t *testing.T) {
	const after, length = 50 * time.Millisecond, 300 * time.Millisecond
	s := open(t, Config{Faults: Faults{Stall: Stall{Length: length, After: after}}})
	c, tcp := dialUDP(t, s), dial(t, s)
	begin := time.Now()
	c.send(0)
	if _, ok := c.receive(time.Second); !ok || time.Since(begin) > after+length/2 {
		t.Fatalf("ahead of the stall: %v, after %v", ok, time.Since(begin))
	}
	time.Sleep(after + 50*time.Millisecond - time.Since(begin))
	for i := range uint16(10) {
		c.send(1 + i)
	}
	tcp.Write(frames(t, 1))
	readID(t, tcp)
	if d := time.Since(begin); d < after+length {
		t.Errorf("an answer over TCP in the stall, after %v", d)
	}
	for range 10 {
		if _, ok := c.receive(time.Second); !ok {
			t.Fatal("what came in the stall is not answered")
		}
		if d := time.Since(begin); d < after+length {
			t.Errorf("an answer in the stall, after %v", d)
		}
	}
}

func TestCloseInStall(t *testing.T) {
	s := open(t, Config{Faults: Faults{Stall: Stall{Length: time.Hour}}})
	c := dialUDP(t, s)
	c.send(0)
	c.receive(time.Second)
	c.send(1)
	time.Sleep(20 * time.Millisecond)
	begin := time.Now()
	s.Close()
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("Close took %v", d)
	}
}

// A burst beyond the queue is dropped, over UDP and TCP together.
func TestLimit(t *testing.T) {
	s := open(t, Config{Faults: Faults{Limit: 10, LimitQueue: 300 * time.Millisecond}})
	c, tcp := dialUDP(t, s), dial(t, s)
	begin := time.Now()
	for i := range 10 {
		c.send(uint16(i))
	}
	settledButHeld := func() bool { return s.Stats().Received == 10 }
	for !settledButHeld() && time.Since(begin) < 5*time.Second {
		time.Sleep(time.Millisecond)
	}
	tcp.Write(frames(t, 10))
	for range 4 {
		if _, ok := c.receive(2 * time.Second); !ok {
			t.Fatal("less than the queue was answered")
		}
	}
	if d := time.Since(begin); d < 400*time.Millisecond {
		t.Errorf("four answers after %v, at ten a second", d)
	}
	if st := settled(t, s, 20); st.Received != 20 || st.Answered+st.Limited != 20 || st.Limited < 12 || st.Limited > 16 {
		t.Errorf("%+v", st)
	}
}

func TestRcodeAndTruncate(t *testing.T) {
	s := open(t, Config{Faults: Faults{Rcode: dns.RcodeServerFailure}})
	for _, network := range []string{"udp", "tcp"} {
		r := ask(t, s, network, question("www.example.com.", dns.TypeA))
		if r.Rcode != dns.RcodeServerFailure || len(r.Answer) != 0 || len(r.Question) != 1 || r.IsEdns0() == nil || r.Truncated {
			t.Errorf("%s: %v", network, r)
		}
	}
	s = open(t, Config{Faults: Faults{Truncate: true}})
	for _, network := range []string{"udp", "tcp"} {
		r := ask(t, s, network, question("www.example.com.", dns.TypeA))
		if r.Truncated != (network == "udp") || (len(r.Answer) == 0) != r.Truncated || r.Rcode != 0 {
			t.Errorf("%s: %v", network, r)
		}
	}
}

// The connection is closed behind the answers, those that are late as well.
func TestCloseAfter(t *testing.T) {
	for _, f := range []Faults{{CloseAfter: 3}, {CloseAfter: 3, Delay: 20 * time.Millisecond}} {
		s := open(t, Config{Faults: f})
		c := dial(t, s)
		c.Write(frames(t, 5))
		for want := range uint16(3) {
			if id := readID(t, c); id != want {
				t.Fatalf("reply %d, want %d", id, want)
			}
		}
		if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("after the last answer: %v", err)
		}
	}
}

// A client that closes its side still gets what is late.
func TestHalfClose(t *testing.T) {
	c := dial(t, open(t, Config{Faults: Faults{Delay: 50 * time.Millisecond}})).(*net.TCPConn)
	c.Write(frames(t, 2))
	c.CloseWrite()
	readID(t, c)
	readID(t, c)
	if _, err := c.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("behind the last: %v", err)
	}
}

// At the end everything is accounted for, answers that were never due included.
func TestStatsAtTheEnd(t *testing.T) {
	s := open(t, Config{Faults: Faults{Delay: time.Hour, Loss: 0.5}})
	c, tcp := dialUDP(t, s), dial(t, s)
	for i := range 20 {
		c.send(uint16(i))
	}
	c.net.Write(make([]byte, 5))
	tcp.Write(frames(t, 20))
	for end := time.Now().Add(5 * time.Second); s.Stats().Received < 41 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if st := s.Stats(); st.Held != 40-st.Lost || st.Ignored != 1 {
		t.Errorf("before the end: %+v", st)
	}
	begin := time.Now()
	s.Close()
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("Close took %v", d)
	}
	if st := s.Stats(); st.Received != 41 || st.Held != 0 || st.Unsent+st.Lost != 40 || st.Answered != 0 {
		t.Errorf("after the end: %+v", st)
	}
}
