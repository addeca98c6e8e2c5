package resolver_test

import (
	"errors"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// one is what came of one query with Once.
type one struct {
	rcode     uint16
	truncated bool
	transport resolver.Transport
	attempts  int
	msg       []byte
	err       error
}

// askOnce asks q with Once of the engine.
func askOnce(t *testing.T, e *resolver.Engine, q resolver.Query) (got one) {
	t.Helper()
	done := 0
	q.Flags |= resolver.Once
	q.Done = func(_ *resolver.Query, r *resolver.Reply, err error) {
		done++
		if got.err = err; err == nil {
			got.rcode, got.truncated, got.transport, got.attempts = r.Rcode, r.Truncated, r.Transport, len(r.Attempts)
			got.msg = append(got.msg, r.Msg...)
		}
	}
	if err := e.Submit(&q); err != nil {
		t.Fatal(err)
	}
	for done == 0 {
		if err := e.Turn(ioevent.Never); err != nil {
			t.Fatal(err)
		}
	}
	return got
}

// TestOnceTakesWhatComes: whatever a server answers is the answer, and nothing is sent besides.
func TestOnceTakesWhatComes(t *testing.T) {
	lame := dnstest.Reply(func(m *dns.Msg) { m.RecursionAvailable = false })
	for name, c := range map[string]struct {
		h         dnstest.Handler
		rcode     uint16
		truncated bool
	}{
		"an answer":        {good, dns.RcodeSuccess, false},
		"NXDOMAIN":         {dnstest.Rcode(dns.RcodeNameError), dns.RcodeNameError, false},
		"SERVFAIL":         {dnstest.Rcode(dns.RcodeServerFailure), dns.RcodeServerFailure, false},
		"REFUSED":          {dnstest.Rcode(dns.RcodeRefused), dns.RcodeRefused, false},
		"FORMERR":          {dnstest.Rcode(dns.RcodeFormatError), dns.RcodeFormatError, false},
		"FORMERR, bare":    {dnstest.HeaderOnly(dns.RcodeFormatError), dns.RcodeFormatError, false},
		"BADVERS":          {dnstest.Reply(func(m *dns.Msg) { m.SetEdns0(1232, false).Rcode = dns.RcodeBadVers }), dns.RcodeBadVers, false},
		"lame":             {lame, dns.RcodeSuccess, false},
		"truncated":        {dnstest.Truncated(), dns.RcodeSuccess, true},
		"after wrong IDs":  {dnstest.All(dnstest.Times(5, dnstest.WrongID(forged)), dnstest.Times(5, dnstest.OtherQuestion(forged)), good), 0, false},
		"after no message": {dnstest.All(dnstest.Empty, dnstest.Junk(100), good), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			inBoth(t, func(t *testing.T, w *world) {
				s, other := w.server(t, c.h), w.server(t, good)
				e := w.engine(t, nil, s.Addr(), other.Addr())
				got := askOnce(t, e, resolver.Query{Question: www})
				if got.err != nil || got.rcode != c.rcode || got.truncated != c.truncated || got.transport != resolver.UDP || got.attempts != 1 {
					t.Errorf("got %+v, want rcode %d, truncated %t, over UDP in one attempt", got, c.rcode, c.truncated)
				}
				if n, st := s.Counts(), e.Stats(); n.UDP != 1 || n.Conns != 0 || other.Counts().UDP != 0 || st.Sent != 1 {
					t.Errorf("the servers saw %+v and %+v, %d sent; want one datagram", n, other.Counts(), st.Sent)
				}
			})
		})
	}
}

// TestOnceOverTCP: the same over TCP, also where the connection ends.
func TestOnceOverTCP(t *testing.T) {
	inBoth(t, withTCP(func(t *testing.T, w *world) {
		s, other := w.server(t, dnstest.Rcode(dns.RcodeServerFailure)), w.server(t, good)
		e := w.engine(t, nil, s.Addr(), other.Addr())
		for range 2 {
			got := askOnce(t, e, resolver.Query{Question: www, Flags: resolver.OverTCP})
			if got.err != nil || got.rcode != dns.RcodeServerFailure || got.transport != resolver.TCP || got.attempts != 1 {
				t.Errorf("got %+v, want SERVFAIL over TCP in one attempt", got)
			}
		}
		if n := s.Counts(); n.TCP != 2 || n.Conns != 1 || other.Counts().TCP != 0 {
			t.Errorf("the servers saw %+v and %+v, want two queries on one connection", n, other.Counts())
		}
	}))
}

// TestOnceConnectionClosed: a query on a connection that the server closes is not asked again.
func TestOnceConnectionClosed(t *testing.T) {
	inBoth(t, withTCP(func(t *testing.T, w *world) {
		s := w.server(t, firstThenClose())
		e := w.engine(t, nil, s.Addr())
		b := newBatch(2, nil)
		for i := range b.queries {
			b.queries[i].Flags = resolver.OverTCP | resolver.Once
		}
		b.submit(t, e)
		drive(t, e, func() bool { return b.completed() == 2 })
		b.once(t)
		failed := errors.Join(b.errs...)
		if (b.errs[0] == nil) == (b.errs[1] == nil) || !errors.Is(failed, resolver.ErrHungUp) {
			t.Errorf("errors %v, want that one was answered and the other hung up on", b.errs)
		}
		if c := s.Counts(); c.Conns != 1 || c.TCP != 2 {
			t.Errorf("%d queries came over %d connections, want 2 over 1", c.TCP, c.Conns)
		}
	}))
}

// TestOnceFails: one timeout, one refusal, one attempt.
func TestOnceFails(t *testing.T) {
	inBoth(t, withTCP(hasty(func(t *testing.T, w *world) {
		silent, other := w.server(t, dnstest.Silent), w.server(t, good)
		nobody := w.nobody(t)
		for name, c := range map[string]struct {
			server resolver.Server
			flags  resolver.Flags
			why    error
		}{
			"silent":           {resolver.Server{Addr: silent.Addr()}, 0, resolver.ErrTimeout},
			"silent, no EDNS":  {resolver.Server{Addr: silent.Addr()}, resolver.NoEDNS, resolver.ErrTimeout},
			"silent, over TCP": {resolver.Server{Addr: silent.Addr()}, resolver.OverTCP, resolver.ErrTimeout},
			"nobody":           {resolver.Server{Addr: nobody}, 0, backend.ErrRefused},
			"nobody, over TCP": {resolver.Server{Addr: nobody}, resolver.OverTCP, backend.ErrRefused},
		} {
			before := silent.Counts()
			e := w.engine(t, nil)
			watch := w.start()
			got := askOnce(t, e, resolver.Query{Question: www, Flags: c.flags, Servers: []resolver.Server{c.server, {Addr: other.Addr()}}})
			var failure *resolver.Error
			if !errors.As(got.err, &failure) || !errors.Is(got.err, c.why) || len(failure.Attempts) != 1 {
				t.Errorf("%s: %v, want %v in one attempt", name, got.err, c.why)
			}
			if c.why == resolver.ErrTimeout {
				watch.lasted(t, w.config.Timeout)
			} else {
				watch.lasted(t, 0)
			}
			after := silent.Counts()
			if sent := after.UDP + after.TCP - before.UDP - before.TCP; sent > 1 || other.Counts() != (dnstest.Counts{}) {
				t.Errorf("%s: %d messages, and to the other server %+v", name, sent, other.Counts())
			}
		}
	})))
}

// TestOnceDeadline: an earlier deadline is not shared among servers that are never asked.
func TestOnceDeadline(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		e := w.engine(t, nil, w.silents(t, 3, dnstest.Silent)...)
		watch := w.start()
		got := askOnce(t, e, resolver.Query{Question: www, Deadline: ioevent.Now() + ioevent.Time(time.Second)})
		watch.lasted(t, time.Second)
		isTimeout(t, got.err)
	})
}

// TestOnceConnectionAfterTimeout: what a connection answers late is nobody's, and the connection is used on; one on which nothing moves is left.
func TestOnceConnectionAfterTimeout(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		s := w.server(t, dnstest.Seq(dnstest.After(3*time.Second, good), good))
		e := w.engine(t, nil, s.Addr())
		isTimeout(t, askOnce(t, e, resolver.Query{Question: www, Flags: resolver.OverTCP}).err)
		time.Sleep(2 * time.Second)
		if got := askOnce(t, e, resolver.Query{Question: www, Flags: resolver.OverTCP}); got.err != nil {
			t.Error(got.err)
		}
		if c, st := s.Counts(), e.Stats(); c.Conns != 1 || st.UnknownID != 1 {
			t.Errorf("%d connections, %d answers to nobody; want 1 and 1", c.Conns, st.UnknownID)
		}
	})
}

// TestOnceRaw: a message of the caller's leaves as it was when it was submitted, its question is not read, and a broken one is refused.
func TestOnceRaw(t *testing.T) {
	inBoth(t, func(t *testing.T, w *world) {
		s := w.server(t, dnstest.Rcode(dns.RcodeFormatError))
		e := w.engine(t, nil, s.Addr())
		raw, err := message().Pack()
		if err != nil {
			t.Fatal(err)
		}
		done := false
		q := &resolver.Query{Question: resolver.Question{Name: "mine"}, Raw: raw, Flags: resolver.Once}
		q.Done = func(q *resolver.Query, r *resolver.Reply, err error) {
			done = true
			if err != nil || r.Rcode != dns.RcodeFormatError || q.Name != "mine" || q.Type != 0 {
				t.Errorf("%+v, %v; the question is %v", r, err, q.Question)
			}
		}
		if err := e.Submit(q); err != nil {
			t.Fatal(err)
		}
		clear(raw)
		drive(t, e, func() bool { return done })
		if asked := s.Queries(); len(asked) != 1 || asked[0].Question.Name != "www.example.com." || !asked[0].EDNS {
			t.Errorf("the server was asked %v", asked)
		}
		for _, bad := range [][]byte{{}, raw, raw[:11], append(make([]byte, 5, 12), 1, 0, 0, 0, 0, 0, 0)} {
			if err := e.Submit(&resolver.Query{Raw: bad, Flags: resolver.Once, Done: q.Done}); err == nil {
				t.Errorf("the message %x was taken", bad)
			}
		}
	})
}
