package resolver_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// scenario is one thing that the first of two servers does, and how the query may end: server 1 or 2, T for TCP, E for an error.
type scenario struct {
	name  string
	first func(t *testing.T, w *world) dnstest.Handler
	want  []string
	// within is the most time it may take: a number of tries' lengths plus a wait of the server's own.
	tries int
	wait  time.Duration
	alone bool // there is no second server
}

const (
	rightAddr  = "192.0.2.1"
	otherAddr  = "192.0.2.2"
	forgedAddr = "6.6.6.6"
	goodAfter  = 60 * time.Millisecond
)

// then has the good answer come a little after the bad datagram.
func then(bad dnstest.Handler) func(*testing.T, *world) dnstest.Handler {
	return just(dnstest.All(bad, dnstest.After(goodAfter, dnstest.A(rightAddr))))
}

func just(h dnstest.Handler) func(*testing.T, *world) dnstest.Handler {
	return func(*testing.T, *world) dnstest.Handler { return h }
}

// tcp truncates over UDP and does h over TCP.
func tcp(h dnstest.Handler) func(*testing.T, *world) dnstest.Handler {
	return just(dnstest.Transports(dnstest.Truncated(), h))
}

var (
	good   = dnstest.A(rightAddr)
	forged = dnstest.A(forgedAddr)
)

// scenarios are what seven resolvers were measured with; several of them take the forgery or wait for ever.
var scenarios = []scenario{
	{name: "right ID and 40 random octets", first: then(dnstest.Junk(40)), want: []string{"1"}, wait: goodAfter},
	{name: "owner points past the end", first: then(dnstest.Edit(good, pointPastEnd)), want: []string{"1"}, wait: goodAfter},
	{name: "wrong ID", first: then(dnstest.WrongID(forged)), want: []string{"1"}, wait: goodAfter},
	{name: "ten wrong IDs", first: then(dnstest.Times(10, dnstest.WrongID(forged))), want: []string{"1", "1T"}, wait: goodAfter},
	{name: "empty datagram", first: then(dnstest.Empty), want: []string{"1"}, wait: goodAfter},
	{name: "4 octets", first: then(dnstest.First(4, good)), want: []string{"1"}, wait: goodAfter},
	{name: "QR=0", first: then(dnstest.NotResponse(forged)), want: []string{"1"}, wait: goodAfter},
	{name: "other question", first: then(dnstest.OtherQuestion(forged)), want: []string{"1"}, wait: goodAfter},
	{name: "from another port", first: func(t *testing.T, w *world) dnstest.Handler {
		return dnstest.All(w.fromElsewhere(t, forged), dnstest.After(goodAfter, good))
	}, want: []string{"1"}, wait: goodAfter},
	{name: "duplicate", first: just(dnstest.Times(2, good)), want: []string{"1"}},
	{name: "12-octet SERVFAIL", first: just(dnstest.HeaderOnly(dns.RcodeServerFailure)), want: []string{"2"}},
	{name: "12-octet REFUSED", first: just(dnstest.HeaderOnly(dns.RcodeRefused)), want: []string{"2"}},
	{name: "12-octet NOTIMP", first: just(dnstest.EDNS(dnstest.HeaderOnly(dns.RcodeNotImplemented), good)), want: []string{"1"}},
	{name: "SERVFAIL with question", first: just(dnstest.Rcode(dns.RcodeServerFailure)), want: []string{"2"}},
	{name: "REFUSED with question", first: just(dnstest.Rcode(dns.RcodeRefused)), want: []string{"2"}},
	{name: "12-octet FORMERR if EDNS", first: just(dnstest.EDNS(dnstest.HeaderOnly(dns.RcodeFormatError), good)), want: []string{"1"}},
	{name: "FORMERR with OPT if EDNS", first: just(dnstest.EDNS(dnstest.WithOPT(dnstest.Rcode(dns.RcodeFormatError)), good)), want: []string{"1"}},
	{name: "drops EDNS", first: just(dnstest.EDNS(dnstest.Silent, good)), want: []string{"2"}, tries: 1},
	{name: "drops EDNS, alone", first: just(dnstest.EDNS(dnstest.Silent, good)), want: []string{"1"}, tries: 2, alone: true},
	{name: "silent", first: just(dnstest.Silent), want: []string{"2"}, tries: 1},
	{name: "silent, alone", first: just(dnstest.Silent), want: []string{"E"}, tries: 3, alone: true},
	{name: "TC, good TCP", first: tcp(good), want: []string{"1T"}},
	{name: "TC, one octet a segment", first: tcp(dnstest.Split(1, 0, good)), want: []string{"1T"}},
	{name: "TC, RST after a whole frame", first: tcp(dnstest.All(good, dnstest.Reset)), want: []string{"1T", "2"}},
	{name: "TC, FIN after a whole frame", first: tcp(dnstest.All(good, dnstest.Close)), want: []string{"1T"}},
	{name: "TC, RST at once", first: tcp(dnstest.Reset), want: []string{"2", "2T"}},
	{name: "TC, closes after 20 octets", first: tcp(dnstest.CloseAfter(20, good)), want: []string{"2", "2T"}},
	{name: "TC, frame of length 0 first", first: tcp(dnstest.All(dnstest.Empty, good)), want: []string{"1T", "2"}},
	{name: "TC, frame with other ID first", first: tcp(dnstest.All(dnstest.WrongID(forged), good)), want: []string{"1T"}},
	{name: "TC, accepts and hangs", first: tcp(dnstest.Silent), want: []string{"2", "2T"}, tries: 1},
}

// pointPastEnd makes the first answer's owner a pointer behind the message.
func pointPastEnd(msg []byte, q dnstest.Request) []byte {
	at := len(q.Msg)
	for i := 12; i+2 < len(msg); i++ {
		if msg[i] == 0xC0 {
			at = i
			break
		}
	}
	msg[at], msg[at+1] = 0xFF, 0xFF
	return msg
}

func TestScenarios(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			run := s.run
			if strings.HasPrefix(s.name, "TC") {
				run = withTCP(run)
			}
			everywhere(t, run)
		})
	}
}

func (s scenario) run(t *testing.T, w *world) {
	one, two := w.server(t, s.first(t, w)), w.server(t, dnstest.A(otherAddr))
	servers := []*dnstest.Server{one, two}
	if s.alone {
		servers = servers[:1]
	}
	r := w.resolver(t, nil)
	q := resolver.Query{Question: resolver.Question{Name: "www.example.com", Type: dns.TypeA}}
	for _, server := range servers {
		q.Servers = append(q.Servers, resolver.Server{Addr: server.Addr()})
	}
	watch := w.start()
	a, err := r.ExchangeQuery(context.Background(), q)
	watch.within(t, time.Duration(s.tries)*w.config.Timeout+s.wait)
	if got := outcome(t, a, err, one, two); !slices.Contains(s.want, got) {
		t.Errorf("ended as %s (%v), want one of %v", got, err, s.want)
	}
	// 3 tries a server, each perhaps once more without EDNS and once over TCP.
	if c := one.Counts(); c.UDP+c.TCP > 3*3 {
		t.Errorf("server 1 was asked %d times over UDP and %d over TCP", c.UDP, c.TCP)
	}
}

// within fails where more than most has passed since the start: in memory exactly, on loopback with the slack, and with what the witness was late.
func (s *stopwatch) within(t *testing.T, most time.Duration) {
	t.Helper()
	took := time.Since(s.began)
	close(s.stopped)
	if late := s.lateness(); took > most+s.w.slack+hops*late {
		t.Errorf("took %v, want at most %v and %v (a witness was %v late)", took, most, s.w.slack, late)
	}
}

// outcome names how an exchange ended, and fails for an address that is not the server's.
func outcome(t *testing.T, a *resolver.Answer, err error, servers ...*dnstest.Server) string {
	t.Helper()
	if err != nil {
		var e *resolver.Error
		if !errors.As(err, &e) {
			t.Errorf("the error is a %T, want *resolver.Error", err)
		}
		return "E"
	}
	for i, s := range servers {
		if a.Server != s.Addr() {
			continue
		}
		addrs, _, err := a.Addrs()
		if want := []string{rightAddr, otherAddr}[i]; err != nil || len(addrs) != 1 || addrs[0].String() != want {
			t.Errorf("server %d gave %v, %v; want %s", i+1, addrs, err, want)
		}
		name := string(rune('1' + i))
		if a.Transport == resolver.TCP {
			name += "T"
		}
		return name
	}
	return "an answer from " + a.Server.String()
}
