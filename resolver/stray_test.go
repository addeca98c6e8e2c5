package resolver_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// strays collects what an engine tells of.
type strays struct {
	kinds []resolver.StrayKind
	all   []resolver.Stray // their messages copied
}

func (s *strays) tell(m *resolver.Stray) {
	s.kinds = append(s.kinds, m.Kind)
	o := *m
	o.Msg = slices.Clone(m.Msg)
	s.all = append(s.all, o)
}

// strict has one socket, one try, no suspicion, and strays told to s.
func (s *strays) strict(c *resolver.Config) {
	oneSocket(c)
	c.Tries, c.NearMisses, c.Stray = 1, -1, s.tell
}

// overEach calls f for UDP and for TCP.
func overEach(t *testing.T, f func(t *testing.T, w *world, flags resolver.Flags)) {
	for name, flags := range map[string]resolver.Flags{"UDP": 0, "TCP": resolver.OverTCP} {
		t.Run(name, func(t *testing.T) {
			inBoth(t, withTCP(func(t *testing.T, w *world) { f(t, w, flags) }))
		})
	}
}

// askEngine asks q of e and returns the error that it ended with.
func askEngine(t *testing.T, e *resolver.Engine, q resolver.Query) (err error) {
	t.Helper()
	done := false
	q.Done = func(_ *resolver.Query, _ *resolver.Reply, why error) { done, err = true, why }
	if err := e.Submit(&q); err != nil {
		t.Fatal(err)
	}
	drive(t, e, func() bool { return done })
	return err
}

// TestStrayKinds: what comes besides the one answer is told by its kind, and counted.
func TestStrayKinds(t *testing.T) {
	for _, tt := range []struct {
		name    string
		handler dnstest.Handler
		want    []resolver.StrayKind
		stats   resolver.Stats // Short, UnknownID, Mismatched, Malformed, Late, Duplicate
		udp     bool           // over TCP it ends the connection
	}{
		{name: "none", handler: good},
		{name: "twice", handler: dnstest.All(good, good), want: []resolver.StrayKind{resolver.Duplicate}, stats: resolver.Stats{UnknownID: 1, Duplicate: 1}},
		{name: "three times", handler: dnstest.Times(3, good), want: []resolver.StrayKind{resolver.Duplicate, resolver.Duplicate},
			stats: resolver.Stats{UnknownID: 2, Duplicate: 2}},
		{name: "then another rcode", handler: dnstest.All(good, dnstest.Rcode(dns.RcodeServerFailure)), want: []resolver.StrayKind{resolver.Duplicate},
			stats: resolver.Stats{UnknownID: 1, Duplicate: 1}},
		{name: "then a bare error", handler: dnstest.All(good, dnstest.HeaderOnly(dns.RcodeServerFailure)), want: []resolver.StrayKind{resolver.Duplicate},
			stats: resolver.Stats{UnknownID: 1, Duplicate: 1}},
		{name: "then a bare NOERROR", handler: dnstest.All(good, dnstest.HeaderOnly(dns.RcodeSuccess)), want: []resolver.StrayKind{resolver.Unsolicited},
			stats: resolver.Stats{UnknownID: 1}},
		{name: "then another question", handler: dnstest.All(good, dnstest.OtherQuestion(good)), want: []resolver.StrayKind{resolver.Unsolicited},
			stats: resolver.Stats{UnknownID: 1}},
		{name: "then itself", handler: dnstest.All(good, dnstest.Echo), want: []resolver.StrayKind{resolver.Unsolicited}, stats: resolver.Stats{UnknownID: 1}},
		{name: "wrong ID", handler: dnstest.All(dnstest.WrongID(good), good), want: []resolver.StrayKind{resolver.Unsolicited}, stats: resolver.Stats{UnknownID: 1}},
		{name: "wrong question", handler: dnstest.All(dnstest.OtherQuestion(good), good), want: []resolver.StrayKind{resolver.Mismatched},
			stats: resolver.Stats{Mismatched: 1}},
		{name: "no response", handler: dnstest.All(dnstest.Echo, good), want: []resolver.StrayKind{resolver.Mismatched}, stats: resolver.Stats{Mismatched: 1}},
		{name: "short", handler: dnstest.All(dnstest.First(5, good), good), want: []resolver.StrayKind{resolver.Unsolicited}, stats: resolver.Stats{Short: 1}},
		{name: "malformed", handler: dnstest.All(dnstest.Edit(good, pointPastEnd), good), want: []resolver.StrayKind{resolver.Malformed},
			stats: resolver.Stats{Malformed: 1}, udp: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			overEach(t, func(t *testing.T, w *world, flags resolver.Flags) {
				if tt.udp && flags != 0 {
					return
				}
				var s strays
				server := w.server(t, tt.handler)
				e := w.engine(t, s.strict, server.Addr())
				if err := askEngine(t, e, resolver.Query{Question: www, Flags: flags}); err != nil {
					t.Fatal(err)
				}
				drive(t, e, func() bool { return e.Stats().Received == uint64(1+len(tt.want)) })
				if !slices.Equal(s.kinds, tt.want) {
					t.Errorf("told of %v, want %v", s.kinds, tt.want)
				}
				for _, m := range s.all {
					if m.Server != server.Addr() || (m.Transport == resolver.TCP) != (flags != 0) || m.RTT < 0 || len(m.Msg) == 0 {
						t.Errorf("told of %d octets from %v over %v after %v", len(m.Msg), m.Server, m.Transport, time.Duration(m.RTT))
					}
				}
				st := e.Stats()
				got := resolver.Stats{Short: st.Short, UnknownID: st.UnknownID, Mismatched: st.Mismatched, Malformed: st.Malformed, Late: st.Late, Duplicate: st.Duplicate}
				if got != tt.stats {
					t.Errorf("counted %+v, want %+v", got, tt.stats)
				}
			})
		})
	}
}

// TestStrayLate: of 100 queries on one socket the tenth is answered too late: 99 are right, one has timed out, and its answer, which comes while a hundred
// others are outstanding, is told as late, with its time, and is nobody else's.
func TestStrayLate(t *testing.T) {
	overEach(t, func(t *testing.T, w *world, flags resolver.Flags) {
		const n, wait = 100, 200 * time.Millisecond
		replies := map[string]dnstest.Handler{"": dnstest.After(20*time.Millisecond, good), "h9.example.": dnstest.After(2*wait, good)}
		for i := n; i < 2*n; i++ {
			replies[fmt.Sprintf("h%d.example.", i)] = dnstest.After(2*wait, good)
		}
		var s strays
		e := w.engine(t, func(c *resolver.Config) { s.strict(c); c.Timeout = 10 * wait }, w.server(t, dnstest.Each(replies)).Addr())
		right, timeouts := 0, 0
		submit := func(i int, deadline resolver.Time) {
			name := fmt.Sprintf("h%d.example.", i)
			q := &resolver.Query{Question: named(name), Flags: flags, Deadline: deadline}
			q.Done = func(_ *resolver.Query, r *resolver.Reply, err error) {
				var m dns.Msg
				switch {
				case errors.Is(err, resolver.ErrTimeout) && i == 9:
					timeouts++
				case err != nil || m.Unpack(r.Msg) != nil || m.Question[0].Name != name:
					t.Errorf("query %d: %v, %v", i, m.Question, err)
				default:
					right++
				}
			}
			if err := e.Submit(q); err != nil {
				t.Fatal(err)
			}
		}
		for i := range n {
			submit(i, ioevent.Now()+resolver.Time(wait))
		}
		drive(t, e, func() bool { return right+timeouts == n })
		if right != n-1 || timeouts != 1 || len(s.kinds) != 0 {
			t.Fatalf("%d right and %d timeouts, told of %v; want %d, 1 and nothing", right, timeouts, s.kinds, n-1)
		}
		for i := n; i < 2*n; i++ {
			submit(i, 0)
		}
		drive(t, e, func() bool { return right == 2*n-1 })
		st := e.Stats()
		if len(s.all) != 1 || s.all[0].Kind != resolver.Late || st.Late != 1 || st.Duplicate != 0 || st.Received != 2*n {
			t.Fatalf("told of %v, counted %d late, %d duplicates of %d received; want one late of %d", s.kinds, st.Late, st.Duplicate, st.Received, 2*n)
		}
		if rtt := time.Duration(s.all[0].RTT); rtt < 2*wait-10*time.Microsecond || rtt > 2*wait+5*time.Second {
			t.Errorf("late by %v, want %v", rtt, 2*wait)
		}
	})
}

// TestStrayOnce: so it is with queries that are sent once, each with a timeout of its own, where their socket or connection is alive.
func TestStrayOnce(t *testing.T) {
	overEach(t, func(t *testing.T, w *world, flags resolver.Flags) {
		const wait = 400 * time.Millisecond
		var s strays
		replies := dnstest.Each(map[string]dnstest.Handler{"slow.example.": dnstest.After(2*wait, good), "quick.example.": dnstest.After(wait/20, good)})
		e := w.engine(t, func(c *resolver.Config) { s.strict(c); c.Timeout = wait }, w.server(t, replies).Addr())
		var slow error
		q := resolver.Query{Question: named("slow.example."), Flags: flags | resolver.Once, Done: func(_ *resolver.Query, _ *resolver.Reply, err error) { slow = err }}
		if err := e.Submit(&q); err != nil {
			t.Fatal(err)
		}
		if err := askEngine(t, e, resolver.Query{Question: named("quick.example."), Flags: flags | resolver.Once}); err != nil {
			t.Fatal(err)
		}
		drive(t, e, func() bool { return e.Stats().Received == 2 })
		if st := e.Stats(); !errors.Is(slow, resolver.ErrTimeout) || !slices.Equal(s.kinds, []resolver.StrayKind{resolver.Late}) || st.Late != 1 || st.Timeouts != 1 {
			t.Errorf("ended with %v; told of %v, counted %d late and %d timeouts; want a timeout and one late", slow, s.kinds, st.Late, st.Timeouts)
		}
	})
}

// zeros draws one ID only: the next query has that of the last, if it is free.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestStrayReusedID: a late answer whose ID is another query's by now is told as late, and so is one that comes after that one's answer; one more is a duplicate.
func TestStrayReusedID(t *testing.T) {
	overEach(t, func(t *testing.T, w *world, flags resolver.Flags) {
		const wait = 50 * time.Millisecond
		late := make(chan func(), 1)
		s := w.server(t, dnstest.Each(map[string]dnstest.Handler{
			"one.example.": func(w *dnstest.Writer, q dnstest.Request) { late <- func() { good(w, q) } },
			"two.example.": func(w *dnstest.Writer, q dnstest.Request) {
				again := <-late
				for _, step := range []func(){again, again, func() { good(w, q) }, again} {
					step()
				}
			},
		}))
		var told strays
		e := w.engine(t, func(c *resolver.Config) { told.strict(c); c.Rand = zeros{}; c.Timeout = 20 * wait }, s.Addr())
		one := resolver.Query{Question: named("ONE.example."), Flags: flags, Deadline: ioevent.Now() + resolver.Time(wait)}
		if err := askEngine(t, e, one); !errors.Is(err, resolver.ErrTimeout) {
			t.Fatalf("query 1: %v, want a timeout", err)
		}
		if err := askEngine(t, e, resolver.Query{Question: named("two.example."), Flags: flags}); err != nil {
			t.Fatalf("query 2: %v", err)
		}
		drive(t, e, func() bool { return e.Stats().Received == 4 })
		// The last comes after the second query has ended, whose trace is in the place of the first's.
		want := []resolver.StrayKind{resolver.Late, resolver.Duplicate, resolver.Unsolicited}
		if st := e.Stats(); !slices.Equal(told.kinds, want) || st.Late != 1 || st.Duplicate != 1 || st.Mismatched != 2 || st.UnknownID != 1 {
			t.Errorf("told of %v, want %v; counted %d late, %d duplicates, %d mismatched, %d unknown", told.kinds, want, st.Late, st.Duplicate, st.Mismatched, st.UnknownID)
		}
	})
}

// TestStrayTruncated: a truncated reply over UDP is one, and the second one is a duplicate.
func TestStrayTruncated(t *testing.T) {
	everywhere(t, withTCP(func(t *testing.T, w *world) {
		var s strays
		e := w.engine(t, s.strict, w.server(t, dnstest.Times(2, tcp(good)(t, w))).Addr())
		if err := askEngine(t, e, resolver.Query{Question: www}); err != nil {
			t.Fatal(err)
		}
		drive(t, e, func() bool { return e.Stats().Received == 4 })
		if want := []resolver.StrayKind{resolver.Duplicate, resolver.Duplicate}; !slices.Equal(s.kinds, want) {
			t.Errorf("told of %v, want %v", s.kinds, want)
		}
	}))
}

// TestStrayAfterTruncated: that the attempt before was answered does not make the one over TCP answered, whose reply is late.
func TestStrayAfterTruncated(t *testing.T) {
	inBoth(t, withTCP(func(t *testing.T, w *world) {
		const wait = 50 * time.Millisecond
		var s strays
		e := w.engine(t, func(c *resolver.Config) { s.strict(c); c.Timeout = 10 * wait }, w.server(t, tcp(dnstest.After(2*wait, good))(t, w)).Addr())
		if err := askEngine(t, e, resolver.Query{Question: www, Deadline: ioevent.Now() + resolver.Time(wait)}); !errors.Is(err, resolver.ErrTimeout) {
			t.Fatalf("%v, want a timeout", err)
		}
		drive(t, e, func() bool { return e.Stats().Received == 2 })
		if len(s.all) != 1 || s.all[0].Kind != resolver.Late || s.all[0].Transport != resolver.TCP {
			t.Errorf("told of %v, want one late over TCP", s.kinds)
		}
	}))
}
