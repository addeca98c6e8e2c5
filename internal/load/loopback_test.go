package load

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/load/queries"
	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/resolver"
)

// numbered is a Set of queries each of which has a name of its own, n<number>.example.com.
type numbered struct{}

func (numbered) Part(i, n int, _ uint64) queries.Source { return &numberedPart{next: i, step: n} }
func (numbered) Timed() bool                            { return false }
func (numbered) String() string                         { return "numbers" }

type numberedPart struct {
	next, step int
	raw        []byte
}

func (p *numberedPart) Next(q *queries.Query) bool {
	name := fmt.Sprintf("n%08d", p.next)
	p.next += p.step
	p.raw = append(p.raw[:0], 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, byte(len(name)))
	p.raw = append(p.raw, name...)
	p.raw = append(p.raw, "\x07example\x03com\x00\x00\x01\x00\x01"...)
	*q = queries.Query{Raw: p.raw, Type: dns.TypeA}
	return true
}

// number is that of the query asked.
func number(q dnstest.Request) (n int) {
	_, _ = fmt.Sscanf(q.Question.Name, "n%d.", &n)
	return n
}

// real runs p on real engines, against the server given, and checks the accounts.
func real(t *testing.T, p *Plan, at netip.AddrPort) *result.Result {
	t.Helper()
	p.Servers = []Server{{Addr: at}}
	if p.Set == nil {
		p.Set = numbered{}
	}
	r, err := Run(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	balanced(t, r)
	return r
}

func TestAnswered(t *testing.T) {
	s := dnstest.Start(t, dnstest.A("192.0.2.1"))
	for _, p := range []Plan{
		{Outstanding: 20, Count: 1000},
		{Outstanding: 20, Count: 1000, Threads: 2, Stamps: true},
		{Rate: At(1000), Count: 500, Lag: time.Second},
		{Rate: At(1000), Count: 500, Lag: time.Second, Threads: 2, Arrival: Poisson},
		{Transport: resolver.TCP, Outstanding: 20, Count: 1000},
		{Transport: resolver.TCP, Rate: At(1000), Count: 500, Lag: time.Second, Clients: 2},
	} {
		if p.Transport == resolver.TCP && !dnstest.Streams {
			continue
		}
		r := real(t, &p, s.Addr())
		if r.Completed != p.Count || r.Verdict != result.Valid || r.Types[0].Rcodes["NOERROR"] != p.Count {
			t.Errorf("%+v: %d answers of %d, lost %+v, %s %+v, %v", p, r.Completed, p.Count, r.Lost, r.Verdict, r.Reasons, r.Types)
		}
		if p.Transport == resolver.TCP && r.Connections.Made != uint64(max(p.Clients, 4*(1-p.Clients/2))) {
			t.Errorf("%+v", r.Connections)
		}
		if r.Service.Min <= 0 || r.Service.Max >= 5e6 {
			t.Errorf("service %+v", r.Service)
		}
	}
}

// TestRatesForReal asks for few and for far too many queries a second: all that the plan has are sent, or it is said why not.
func TestRatesForReal(t *testing.T) {
	s := dnstest.Start(t, dnstest.A("192.0.2.1"))
	silent := dnstest.Start(t, dnstest.Silent)
	for _, q := range []float64{1, 10, 1e6} {
		p, at := Plan{Rate: At(q), Duration: time.Second, Timeout: time.Second, Lag: 5 * time.Second}, s.Addr()
		if q > 1000 {
			p.Lag, p.Timeout, at = 0, 50*time.Millisecond, silent.Addr()
		}
		r := real(t, &p, at)
		if r.Planned != uint64(q) || q <= 10 && r.Sent != uint64(q) {
			t.Errorf("%v/s: planned %d, sent %d", q, r.Planned, r.Sent)
		}
		if float64(r.Sent) < 0.99*q && !hasCode(r, result.CodeBehind) && !hasCode(r, result.CodeWindow) {
			t.Errorf("%v/s: sent %d, and nothing is said of the rest: %+v", q, r.Sent, r.Reasons)
		}
	}
}

// TestLateAnswerIsNobodyElses has one answer come after the timeout, on the only socket: it is counted late and given to none of the others.
func TestLateAnswerIsNobodyElses(t *testing.T) {
	answer := func(w *dnstest.Writer, q dnstest.Request) {
		m := new(dns.Msg).SetReply(q.Query)
		if m.Rcode = dns.RcodeSuccess; number(q) == 10 {
			m.Rcode = dns.RcodeNameError
		}
		w.SendMsg(m)
	}
	s := dnstest.Start(t, func(w *dnstest.Writer, q dnstest.Request) {
		if number(q) == 10 {
			dnstest.After(400*time.Millisecond, answer)(w, q)
			return
		}
		answer(w, q)
	})
	r := real(t, &Plan{Rate: At(100), Count: 100, Clients: 1, Timeout: 300 * time.Millisecond, Lag: time.Second}, s.Addr())
	if r.Completed != 99 || r.Lost != (result.Lost{Late: 1}) || r.Strays != (result.Strays{Late: 1}) {
		t.Errorf("completed %d, lost %+v, strays %+v; want 99, one late", r.Completed, r.Lost, r.Strays)
	}
	if got := r.Types[0].Rcodes; len(got) != 1 || got["NOERROR"] != 99 {
		t.Errorf("the late answer was taken: %v", got)
	}
	if r.Late == nil || r.Late.Min < 300e3 || r.Late.Max > 2e6 {
		t.Errorf("late %+v", r.Late)
	}
}

// TestLatencyIsBelowTheTimeout asks rarely, so that each answer is the first thing of its turn: no time is more than the timeout, let alone one of the year.
func TestLatencyIsBelowTheTimeout(t *testing.T) {
	s := dnstest.Start(t, dnstest.A("192.0.2.1"))
	for range 3 {
		r := real(t, &Plan{Rate: At(50), Duration: 400 * time.Millisecond, Timeout: 100 * time.Millisecond, Lag: time.Second}, s.Addr())
		if r.Service.Max > 100.1e3 || r.Completed == 0 || r.Service.Min <= 0 || r.Response.Min < r.Service.Min {
			t.Errorf("service %+v, response %+v", r.Service, r.Response)
		}
	}
}

// TestLossIsValid has a server that drops a fifth: what is lost is what it dropped (and what a busy machine did), and the run is as good as any.
func TestLossIsValid(t *testing.T) {
	answer := dnstest.A("192.0.2.1")
	s := dnstest.Start(t, func(w *dnstest.Writer, q dnstest.Request) {
		if number(q)%5 != 0 {
			answer(w, q)
		}
	})
	r := real(t, &Plan{Rate: At(200), Count: 200, Timeout: time.Second, Lag: time.Second}, s.Addr())
	if n := r.Lost.Total(); n < 40 || n > 60 || r.Lost.Timeout < 40 || r.Verdict != result.Valid {
		t.Errorf("completed %d, lost %+v, %s %+v", r.Completed, r.Lost, r.Verdict, r.Reasons)
	}
}

// TestHangsUp has a server that closes each connection after 128 answers: the client connects anew, and what was on its way is lost as closed.
func TestHangsUp(t *testing.T) {
	if !dnstest.Streams {
		t.Skip("no UDP and TCP on one port here")
	}
	var mu sync.Mutex
	answers := make(map[netip.AddrPort]int)
	answer := dnstest.A("192.0.2.1")
	s := dnstest.Start(t, func(w *dnstest.Writer, q dnstest.Request) {
		mu.Lock()
		defer mu.Unlock()
		answers[q.From]++
		answer(w, q)
		if answers[q.From] == 128 {
			w.Close()
		}
	})
	r := real(t, &Plan{Transport: resolver.TCP, Outstanding: 10, Count: 2000, Clients: 1, Timeout: 2 * time.Second}, s.Addr())
	lost := r.Lost
	lost.Closed = 0
	if lost != (result.Lost{}) || r.Completed+r.Lost.Closed != 2000 || r.Completed < 1800 || r.Verdict != result.Valid {
		t.Errorf("completed %d, lost %+v, %s %+v", r.Completed, r.Lost, r.Verdict, r.Reasons)
	}
	mu.Lock()
	defer mu.Unlock()
	if r.Connections.Made != uint64(len(answers)) || r.Connections.Closed < r.Connections.Made-1 || r.Connections.Made < 15 {
		t.Errorf("%+v, the server saw %d", r.Connections, len(answers))
	}
}

// TestPerConnection has the client end each connection after 100 queries: nothing is lost.
func TestPerConnection(t *testing.T) {
	if !dnstest.Streams {
		t.Skip("no UDP and TCP on one port here")
	}
	s := dnstest.Start(t, dnstest.A("192.0.2.1"))
	r := real(t, &Plan{Transport: resolver.TCP, Outstanding: 10, Count: 1000, Clients: 1, PerConnection: 100}, s.Addr())
	if r.Completed != 1000 || r.Connections != (result.Connections{Made: 10}) {
		t.Errorf("completed %d, lost %+v, %+v", r.Completed, r.Lost, r.Connections)
	}
}

// TestNobodyListens ends at once, and says why.
func TestNobodyListens(t *testing.T) {
	for _, via := range []resolver.Transport{resolver.UDP, resolver.TCP} {
		start := time.Now()
		r := real(t, &Plan{Transport: via, Outstanding: 10, Duration: time.Minute}, dnstest.Nobody(t))
		if took := time.Since(start); took < 400*time.Millisecond || took > 5*time.Second {
			t.Errorf("%v: it took %v to see", via, took)
		}
		if r.Completed != 0 || r.Connections.Made != 0 || r.Verdict != result.Invalid || !hasCode(r, result.CodeUnreachable) {
			t.Errorf("%v: completed %d, lost %+v, %+v, %s %+v", via, r.Completed, r.Lost, r.Connections, r.Verdict, r.Reasons)
		}
		if via == resolver.UDP && r.Lost.ICMP == 0 || via == resolver.TCP && r.Lost.Closed == 0 {
			t.Errorf("%v: lost %+v", via, r.Lost)
		}
	}
}

// TestRefusedHere sends from an address that is not this machine's, and what is no query: both are this machine's errors, and the run ends.
func TestRefusedHere(t *testing.T) {
	s := dnstest.Start(t, dnstest.A("192.0.2.1"))
	for _, p := range []Plan{
		{Outstanding: 10, Duration: time.Minute, Sources: []netip.Addr{netip.MustParseAddr("192.0.2.77")}},
		{Rate: At(100), Duration: time.Minute, Sources: []netip.Addr{netip.MustParseAddr("192.0.2.77")}, Transport: resolver.TCP},
		{Outstanding: 10, Duration: time.Minute, Set: nonsense{}},
		{Rate: At(100), Duration: time.Minute, Set: nonsense{}},
	} {
		start := time.Now()
		r := real(t, &p, s.Addr())
		if r.Completed != 0 || r.Verdict != result.Invalid || !hasCode(r, result.CodeUnreachable) || r.Lost.SendError == 0 || !hasCode(r, result.CodeSendError) || time.Since(start) > 5*time.Second {
			t.Errorf("%+v: completed %d, lost %+v, %s %+v after %v", p, r.Completed, r.Lost, r.Verdict, r.Reasons, time.Since(start))
		}
	}
}

// nonsense is a Set of what is no query.
type nonsense struct{}

func (nonsense) Part(int, int, uint64) queries.Source { return nonsense{} }
func (nonsense) Timed() bool                          { return false }
func (nonsense) String() string                       { return "nonsense" }
func (nonsense) Next(q *queries.Query) bool           { *q = queries.Query{Raw: []byte("no query")}; return true }

func TestInterruptedAtOnce(t *testing.T) {
	s := dnstest.Start(t, dnstest.Silent)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	r, err := Run(ctx, &Plan{Servers: []Server{{Addr: s.Addr()}}, Set: numbered{}, Outstanding: 10, Duration: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	balanced(t, r)
	if took := time.Since(start); took > 2*time.Second || r.Interrupted != 10 || !hasCode(r, result.CodeInterrupted) {
		t.Errorf("after %v: %d interrupted, %+v", took, r.Interrupted, r.Reasons)
	}
}

// TestForgeries has each answer come with wrong ones before it and once more after it.
func TestForgeries(t *testing.T) {
	answer := dnstest.A("192.0.2.1")
	s := dnstest.Start(t, dnstest.All(dnstest.OtherQuestion(answer), answer, answer))
	r := real(t, &Plan{Outstanding: 10, Count: 200}, s.Addr())
	if r.Completed != 200 || r.Strays.Mismatched != 200 || r.Strays.Duplicate < 180 || r.Strays.Duplicate > 200 || r.Lost.Total() != 0 {
		t.Errorf("completed %d, lost %+v, strays %+v", r.Completed, r.Lost, r.Strays)
	}
}

// TestSources has each socket on the address it was dealt.
func TestSources(t *testing.T) {
	var mu sync.Mutex
	from := make(map[netip.Addr]int)
	answer := dnstest.A("192.0.2.1")
	s := dnstest.Start(t, func(w *dnstest.Writer, q dnstest.Request) {
		mu.Lock()
		from[q.From.Addr()]++
		mu.Unlock()
		answer(w, q)
	})
	r := real(t, &Plan{Outstanding: 10, Count: 400, Sources: []netip.Addr{netip.MustParseAddr("127.0.0.1")}}, s.Addr())
	mu.Lock() // an answer is read before its handler has returned
	defer mu.Unlock()
	if r.Completed != 400 || from[netip.MustParseAddr("127.0.0.1")] != 400 {
		t.Errorf("completed %d, %v", r.Completed, from)
	}
}

func TestCalibrate(t *testing.T) {
	s := dnstest.Start(t, dnstest.A("192.0.2.1"))
	p := &Plan{Servers: []Server{server(1, 0)}, Rate: At(5), Set: list{n: 7}}
	plan := calibration(p, s.Addr())
	plan.Warmup, plan.Duration, plan.Timeout = 0, 100*time.Millisecond, time.Second
	r := real(t, plan, s.Addr())
	if r.Completed < 8 || r.Plan.Mode != "closed" || p.Rate.IsZero() || len(p.Servers) != 1 {
		t.Errorf("completed %d, mode %s", r.Completed, r.Plan.Mode)
	}
}
