package resolver_test

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// TestErrorListsAttempts: what was asked, of whom, how, for how long, and what came of it.
func TestErrorListsAttempts(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		silent, hanging := w.server(t, dnstest.Silent), w.server(t, dnstest.Transports(dnstest.Truncated(), dnstest.Silent))
		nobody := w.nobody(t)
		r := w.resolver(t, func(c *resolver.Config) { c.Tries = 1 }, silent.Addr(), hanging.Addr(), nobody)
		e := askFails(t, r, 0, backend.ErrRefused)
		const try = resolver.Time(2 * time.Second)
		size := len(hanging.Queries()[0].Msg) - 11 // the reply has no OPT record
		want := []resolver.Attempt{
			{Server: silent.Addr(), Transport: resolver.UDP, RTT: try, Rcode: -1, Err: resolver.ErrTimeout},
			{Server: hanging.Addr(), Transport: resolver.UDP, Rcode: 0, Truncated: true, Size: size},
			{Server: hanging.Addr(), Transport: resolver.TCP, RTT: try, Rcode: -1, Err: resolver.ErrTimeout},
			{Server: nobody, Transport: resolver.UDP, Rcode: -1, Err: backend.ErrRefused},
		}
		if len(e.Attempts) != len(want) {
			t.Fatalf("%d attempts, want %d: %+v", len(e.Attempts), len(want), e.Attempts)
		}
		for i, got := range e.Attempts {
			if !sameAttempt(got, want[i]) {
				t.Errorf("attempt %d: %+v, want %+v", i+1, got, want[i])
			}
		}
		if e.Op != "exchange" || e.Name != www.Name || e.Type != www.Type || e.Server != nobody.String() {
			t.Errorf("error of %s %s %d @%s", e.Op, e.Name, e.Type, e.Server)
		}
		const text = "exchange www.example.com A @192.0.2.3:53: memory network: refused: nobody listens there (4 attempts)"
		if e.Error() != text {
			t.Errorf("error says %q, want %q", e, text)
		}
	})
}

func sameAttempt(got, want resolver.Attempt) bool {
	same := errors.Is(got.Err, want.Err)
	got.Err, want.Err = nil, nil
	return same && got == want
}

// TestAnswerListsAttempts: those before the answer and the answer itself.
func TestAnswerListsAttempts(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		one := w.server(t, dnstest.EDNS(dnstest.Rcode(dns.RcodeFormatError), dnstest.Truncated()))
		two := w.server(t, dnstest.After(30*time.Millisecond, good))
		one.Handle(dnstest.EDNS(dnstest.Rcode(dns.RcodeFormatError), dnstest.Transports(dnstest.Truncated(), dnstest.Rcode(dns.RcodeRefused))))
		a := ask(t, w.resolver(t, nil, one.Addr(), two.Addr()), 0)
		const question = 12 + 17 + 4
		want := []resolver.Attempt{
			{Server: one.Addr(), Transport: resolver.UDP, Rcode: dns.RcodeFormatError, Size: question},
			{Server: one.Addr(), Transport: resolver.UDP, Rcode: 0, Truncated: true, Size: question},
			{Server: one.Addr(), Transport: resolver.TCP, Rcode: dns.RcodeRefused, Size: question},
			{Server: two.Addr(), Transport: resolver.UDP, RTT: resolver.Time(30 * time.Millisecond), Rcode: 0, Size: question + 16},
		}
		if len(a.Attempts) != len(want) {
			t.Fatalf("attempts %+v, want %+v", a.Attempts, want)
		}
		for i, got := range a.Attempts {
			if !sameAttempt(got, want[i]) {
				t.Errorf("attempt %d: %+v, want %+v", i+1, got, want[i])
			}
		}
		if a.RTT != 30*time.Millisecond || a.Server != two.Addr() || a.Transport != resolver.UDP || !a.RecursionAvailable {
			t.Errorf("answer %+v", a)
		}
	})
}

// TestErrorsConvert to what callers of other packages look for.
func TestErrorsConvert(t *testing.T) {
	for _, c := range []struct {
		reason                        error
		also                          []error
		timeout, temporary, isMissing bool
	}{
		{resolver.ErrTimeout, []error{os.ErrDeadlineExceeded}, true, true, false},
		{resolver.ErrClosed, []error{net.ErrClosed}, false, false, false},
		{resolver.ErrCanceled, []error{context.Canceled}, false, false, false},
		{resolver.ErrBusy, nil, false, true, false},
		{resolver.ErrNotFound, nil, false, false, true},
		{resolver.ErrNoData, nil, false, false, true},
		{resolver.ErrLoop, nil, false, false, false},
	} {
		var err error = &resolver.Error{Op: "lookup", Name: "a\nb.example.", Type: dns.TypeMX, Server: "192.0.2.1:53", Err: c.reason}
		for _, target := range append(c.also, c.reason) {
			if !errors.Is(err, target) {
				t.Errorf("%v is not %v", err, target)
			}
		}
		var d *net.DNSError
		if !errors.As(err, &d) {
			t.Fatalf("%v is no *net.DNSError", err)
		}
		if d.IsTimeout != c.timeout || d.IsTemporary != c.temporary || d.IsNotFound != c.isMissing || d.Server != "192.0.2.1:53" || !errors.Is(d, c.reason) {
			t.Errorf("%v became %+v", err, d)
		}
		var n net.Error
		if !errors.As(err, &n) || n.Timeout() != c.timeout {
			t.Errorf("%v as a net.Error: timeout %v", err, n != nil && n.Timeout())
		}
		if text := err.Error(); !strings.HasPrefix(text, `lookup a\010b.example. MX @192.0.2.1:53: `) || strings.Contains(text, "attempts") {
			t.Errorf("error says %q", text)
		}
	}
}

// TestContextEnds: canceled and timed out are told apart, and the query is off the wire at once.
func TestContextEnds(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		r := w.resolver(t, nil, w.server(t, dnstest.Silent).Addr())
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		watch := w.start()
		_, err := r.Exchange(ctx, www)
		watch.lasted(t, time.Second)
		if !errors.Is(err, resolver.ErrCanceled) || !errors.Is(err, context.Canceled) || errors.Is(err, resolver.ErrTimeout) {
			t.Errorf("canceled: %v", err)
		}
		if _, err = r.Exchange(ctx, www); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled before: %v", err)
		}
		if st := r.Stats(); st.InFlight != 0 || st.Canceled != 1 {
			t.Errorf("%d in flight, %d canceled", st.InFlight, st.Canceled)
		}
	})
}

// TestBadQueries: the error says what is wrong, there is no Done, and nothing is sent.
func TestBadQueries(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		s := w.server(t, good)
		r, e := w.resolver(t, nil, s.Addr()), w.engine(t, nil, s.Addr())
		done := func(*resolver.Query, *resolver.Reply, error) { t.Error("Done was called") }
		for want, q := range map[string]resolver.Query{
			"Done is nil":             {Question: www},
			"a..b":                    {Question: named("a..b"), Done: done},
			strings.Repeat("x", 64):   {Question: named(strings.Repeat("x", 64)), Done: done},
			"no servers":              {Question: www, Servers: []resolver.Server{}, Done: done},
			"Query.Servers[0]":        {Question: www, Servers: []resolver.Server{{}}, Done: done},
			"is not a query":          {Raw: []byte("short"), Done: done},
			"has no readable":         {Raw: []byte("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03ww"), Done: done},
			"Raw (33 octets) is not ": {Raw: append([]byte("\x12\x34\x81\x00\x00\x01\x00\x00\x00\x00\x00\x00"), "\x03www\x07example\x03com\x00\x00\x01\x00\x01"...), Done: done},
		} {
			for _, submit := range []func(*resolver.Query) error{r.Submit, e.Submit} {
				if err := submit(&q); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("Submit: %v, want an error with %q", err, want)
				}
			}
		}
		if st := r.Stats(); st.Submitted+e.Stats().Submitted != 0 || s.Counts().UDP != 0 {
			t.Errorf("%d queries were taken", st.Submitted)
		}
	})
}
