package resolver_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/wire"
	"github.com/dnsq/dnsq/resolver"
)

// TestJunkDatagramsAreIgnored: any of these ended the lookup or diverted it, somewhere (golang/go#13281, CVE-2023-29483, libevent#1231).
func TestJunkDatagramsAreIgnored(t *testing.T) {
	for name, junk := range map[string]dnstest.Handler{
		"text, then a wrong ID": dnstest.All(dnstest.Raw([]byte("garbage DNS response packet")), dnstest.WrongID(forged)),
		"0 to 11 octets":        shorter,
		"the query sent back":   dnstest.Echo,
		"9000 octets of junk":   dnstest.Junk(9000),
		"QR=0 in 12 octets":     dnstest.NotResponse(dnstest.HeaderOnly(dns.RcodeServerFailure)),
		"no question, NOERROR":  dnstest.HeaderOnly(dns.RcodeSuccess),
		"no question, NXDOMAIN": dnstest.HeaderOnly(dns.RcodeNameError),
		"another class":         dnstest.Edit(forged, atQuestionEnd(-1, dns.ClassCHAOS)),
		"another type":          dnstest.Edit(forged, atQuestionEnd(-3, byte(dns.TypeAAAA))),
	} {
		t.Run(name, func(t *testing.T) {
			inBoth(t, func(t *testing.T, w *world) { answersAfter(t, w, junk) })
		})
	}
}

// answersAfter fails unless the right answer, which comes after the bad datagrams, is taken, and nobody else is asked.
func answersAfter(t *testing.T, w *world, bad dnstest.Handler) {
	t.Helper()
	one, two := w.server(t, then(bad)(t, w)), w.server(t, dnstest.A(otherAddr))
	watch := w.start()
	a := ask(t, w.resolver(t, never, one.Addr(), two.Addr()), 0)
	watch.lasted(t, goodAfter)
	if got := outcome(t, a, nil, one, two); got != "1" || one.Counts().UDP != 1 {
		t.Errorf("ended as %s after %d queries, want server 1's answer to the first", got, one.Counts().UDP)
	}
}

// never keeps forgeries from starting an attempt over TCP.
func never(c *resolver.Config) { c.NearMisses = -1 }

// shorter sends every datagram that is shorter than a header.
func shorter(w *dnstest.Writer, q dnstest.Request) {
	for n := range wire.HeaderLen {
		dnstest.First(n, forged)(w, q)
	}
}

// atQuestionEnd changes an octet of the question's type or class, counted from the question's end.
func atQuestionEnd(at int, value byte) func([]byte, dnstest.Request) []byte {
	return func(msg []byte, _ dnstest.Request) []byte {
		end, _ := wire.QuestionEnd(msg)
		msg[end+at] = value
		return msg
	}
}

// TestWrongIDsNeverFail: however many come first, the answer does too (hickory-dns#3526), over TCP where that is allowed: at the third.
func TestWrongIDsNeverFail(t *testing.T) {
	for n, suspicions := range map[int]uint64{1: 0, 2: 0, 3: 1, 10: 1, 100: 1} {
		for name, bad := range map[string]dnstest.Handler{"ID": dnstest.WrongID(forged), "question": dnstest.OtherQuestion(forged)} {
			t.Run(fmt.Sprint(n, " wrong ", name, "s"), func(t *testing.T) {
				inBoth(t, func(t *testing.T, w *world) { answersWith(t, w, dnstest.Times(n, bad), n, suspicions) })
				inMemory(t, func(t *testing.T, w *world) { answersAfter(t, w, dnstest.Times(n, bad)) })
			})
		}
	}
}

// answersWith fails unless the right answer is taken, over UDP or TCP, with so many forgeries before it.
func answersWith(t *testing.T, w *world, bad dnstest.Handler, n int, suspicions uint64) {
	t.Helper()
	one := w.server(t, dnstest.Transports(dnstest.All(bad, dnstest.After(goodAfter, good)), good))
	r := w.resolver(t, nil, one.Addr())
	if got := held(t, ask(t, r, 0)); got != rightAddr {
		t.Errorf("the answer holds %s", got)
	}
	s := r.Stats()
	if s.Suspicions != suspicions || s.Timeouts != 0 {
		t.Errorf("%d suspicions and %d timeouts, want %d and 0", s.Suspicions, s.Timeouts, suspicions)
	}
	if ignored := s.UnknownID + s.Mismatched; ignored != uint64(n) && suspicions == 0 {
		t.Errorf("%d forgeries were counted, want %d", ignored, n)
	}
}

// TestForgeriesDoNotEndTheWait: the attempt over TCP that forgeries start may fail; the wait over UDP goes on all the same.
func TestForgeriesDoNotEndTheWait(t *testing.T) {
	for name, h := range map[string]dnstest.Handler{
		"resets": dnstest.Reset, "closes": dnstest.Close, "hangs": dnstest.Silent, "malformed": dnstest.Edit(good, pointPastEnd),
	} {
		t.Run("TCP "+name, func(t *testing.T) {
			everywhere(t, withTCP(func(t *testing.T, w *world) {
				bad := dnstest.All(dnstest.Times(5, dnstest.WrongID(forged)), dnstest.After(goodAfter, good))
				one := w.server(t, dnstest.Transports(bad, h))
				watch := w.start()
				a := ask(t, w.resolver(t, nil, one.Addr()), 0)
				watch.lasted(t, goodAfter)
				if c := one.Counts(); a.Transport != resolver.UDP || c.UDP != 1 || c.TCP != 1 || len(a.Attempts) != 1 {
					t.Errorf("answered over %v after %d queries over UDP and %d over TCP, want UDP after one each", a.Transport, c.UDP, c.TCP)
				}
			}))
		})
	}
}

// TestForgedFramesAreSkipped: over TCP too a message with QR=0 or another question is nobody's answer (hickory-dns 517398f78).
func TestForgedFramesAreSkipped(t *testing.T) {
	for name, bad := range map[string]dnstest.Handler{
		"QR=0": dnstest.NotResponse(forged), "other question": dnstest.OtherQuestion(forged), "wrong ID": dnstest.WrongID(forged),
		"short": dnstest.First(5, forged),
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, withTCP(func(t *testing.T, w *world) {
				one := w.server(t, tcp(dnstest.All(bad, good))(t, w))
				if a := ask(t, w.resolver(t, nil, one.Addr()), 0); held(t, a) != rightAddr || a.Transport != resolver.TCP {
					t.Errorf("got %s over %v", held(t, a), a.Transport)
				}
			}))
			inMemory(t, func(t *testing.T, w *world) {
				askFails(t, w.resolver(t, nil, w.server(t, bad).Addr()), resolver.OverTCP, resolver.ErrTimeout)
			})
		})
	}
}

// oneSocket has every query leave from the same socket.
func oneSocket(c *resolver.Config) {
	c.Shards, c.Ports = 1, resolver.PortPolicy{Loopback: 1, Fresh: -1, Pool: 1}
}

// TestLateReplyIsNobodys: the reply to a query that timed out reaches the socket of the next one (miekg/dns#1156, miekg/dns#1081).
func TestLateReplyIsNobodys(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		const late = 50 * time.Millisecond
		s := w.server(t, dnstest.Each(map[string]dnstest.Handler{
			"one.example.": dnstest.After(w.config.Timeout+late, forged),
			"two.example.": dnstest.After(2*late, good),
		}))
		r := w.resolver(t, func(c *resolver.Config) { oneSocket(c); c.Tries = 1 }, s.Addr())
		if _, err := r.Exchange(context.Background(), named("one.example.")); !errors.Is(err, resolver.ErrTimeout) {
			t.Fatalf("query 1: %v, want a timeout", err)
		}
		a, err := r.Exchange(context.Background(), named("two.example."))
		if err != nil || held(t, a) != rightAddr {
			t.Fatalf("query 2: %v, %v", a, err)
		}
		if q := s.Queries(); q[0].From != q[1].From {
			t.Errorf("the queries left from %v and %v, want one socket", q[0].From, q[1].From)
		}
		if st := r.Stats(); st.UnknownID != 1 {
			t.Errorf("%d replies were late, want 1", st.UnknownID)
		}
	})
}

// TestSwappedIDs: two names alternate on one socket, and the server gives the reply to each the ID of the other
// (MichaCo/DnsClient.NET#132). Nobody gets the other's answer.
func TestSwappedIDs(t *testing.T) {
	own := map[string]string{"one.example.": "192.0.2.11", "two.example.": "192.0.2.22"}
	everywhere(t, func(t *testing.T, w *world) {
		s := w.server(t, swapping(own))
		r := w.resolver(t, func(c *resolver.Config) { oneSocket(c); c.Timeout, c.Tries = 50*time.Millisecond, 1 }, s.Addr())
		var wg sync.WaitGroup
		for name, want := range own {
			wg.Go(func() {
				for range 5 {
					a, err := r.Exchange(context.Background(), named(name))
					if err != nil {
						continue
					}
					if got := held(t, a); got != want {
						t.Errorf("%s got %s, want %s", name, got, want)
					}
				}
			})
		}
		wg.Wait()
		if st := r.Stats(); st.Mismatched == 0 {
			t.Error("no reply came with the ID of another query: nothing was tested")
		}
	})
}

// swapping answers queries over UDP in pairs, the second first, each with the ID of the other.
func swapping(own map[string]string) dnstest.Handler {
	var mu sync.Mutex
	var held *dnstest.Request
	right := make(map[string]dnstest.Handler)
	for name, addr := range own {
		right[name] = dnstest.A(addr)
	}
	return dnstest.Transports(func(w *dnstest.Writer, q dnstest.Request) {
		mu.Lock()
		defer mu.Unlock()
		if held == nil {
			held = &q
			return
		}
		other := *held
		held = nil
		for _, pair := range [][2]dnstest.Request{{q, other}, {other, q}} {
			h := dnstest.Edit(dnstest.Each(right), func(msg []byte, _ dnstest.Request) []byte {
				wire.SetID(msg, pair[1].ID())
				return msg
			})
			h(w, pair[0])
		}
	}, dnstest.Each(right))
}

// TestCaseOfTheReply: names are compared without regard to the case of ASCII letters, and of nothing else.
func TestCaseOfTheReply(t *testing.T) {
	spelled := func(f func(string) string) dnstest.Handler {
		return dnstest.Reply(func(m *dns.Msg) {
			m.Question[0].Name = f(m.Question[0].Name)
			a, _ := dns.NewRR(m.Question[0].Name + " 60 IN A " + rightAddr)
			m.Answer = append(m.Answer, a)
		})
	}
	inBoth(t, func(t *testing.T, w *world) {
		s := w.server(t, spelled(strings.ToUpper))
		if a := ask(t, w.resolver(t, nil, s.Addr()), 0); held(t, a) != rightAddr {
			t.Errorf("upper case: the answer holds %q", held(t, a))
		}
	})
	inMemory(t, func(t *testing.T, w *world) {
		s := w.server(t, spelled(func(name string) string { return strings.Replace(name, "w", "7", 1) })) // 'w' and '7' differ in two bits
		askFails(t, w.resolver(t, nil, s.Addr()), 0, resolver.ErrTimeout)
		s.Handle(spelled(func(name string) string { return strings.Replace(name, "www", `ww\087`, 1) }))
		if a := ask(t, w.resolver(t, nil, s.Addr()), 0); held(t, a) != rightAddr {
			t.Errorf("escaped W: the answer holds %q", held(t, a))
		}
	})
}
