package resolver

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/wire"
)

// ended is a query for name that was sent then and has ended, and replyTo a reply to it.
func ended(t testing.TB, name string, sent Time, answered bool) *pending {
	t.Helper()
	msg, err := wire.AppendQuery(nil, name, 1, 1, wire.QueryOptions{RecursionDesired: true})
	if err != nil {
		t.Fatal(err)
	}
	return &pending{msg: msg, sent: sent, answered: answered}
}

func replyTo(p *pending) []byte {
	msg := append([]byte(nil), p.msg...)
	msg[2] |= 0x80
	return msg
}

func second(n float64) Time { return Time(n * float64(time.Second)) }

// TestMemoryIdentifies: one ID goes through many hands, and a message is always the last one's, or that one's which was lost last.
func TestMemoryIdentifies(t *testing.T) {
	var m memory
	const id = 0xabcd
	check := func(what string, p *pending, at Time, want StrayKind, age Time) {
		t.Helper()
		kind, rtt := m.identify(id, replyTo(p), at)
		if d := rtt - age; kind != want || d < -2<<traceUnit || d > 2<<traceUnit {
			t.Errorf("%s: %v after %v, want %v after %v", what, kind, time.Duration(rtt), want, time.Duration(age))
		}
	}
	lost, right, again := ended(t, "lost.example", second(1), false), ended(t, "right.example", second(5), true), ended(t, "RIGHT.example", second(9), true)
	check("of nothing", lost, second(2), 0, 0)
	m.note(id, lost)
	if kind, _ := m.identify(id^1, replyTo(lost), second(2)); kind != 0 {
		t.Errorf("the neighbouring ID: %v", kind)
	}
	if kind, _ := m.identify(id, lost.msg, second(2)); kind != 0 {
		t.Errorf("no response: %v", kind)
	}
	m.note(id, right)
	check("answered, once more", right, second(5.5), Duplicate, second(0.5))
	check("lost before that", lost, second(6), Late, second(5))
	check("lost before that, once more", lost, second(7), Duplicate, second(6))
	check("whose place that took", right, second(7), 0, 0)
	m.note(id, again)
	check("in other letters", right, second(10), Duplicate, second(1))
	check("forgotten", lost, second(11), 0, 0)
}

// TestMemoryOfOneQuestion: where a question was lost and then answered under one ID, what comes is taken as the later one's, and a loss after the answer as that.
func TestMemoryOfOneQuestion(t *testing.T) {
	for lostLast, want := range map[bool]StrayKind{false: Duplicate, true: Late} {
		var m memory
		first, last := ended(t, "one.example", second(1), lostLast), ended(t, "one.example", second(2), !lostLast)
		m.note(7, first)
		m.note(7, last)
		if kind, rtt := m.identify(7, replyTo(last), second(3)); kind != want || rtt > second(1.1) {
			t.Errorf("lost last %v: %v after %v, want %v after 1s", lostLast, kind, time.Duration(rtt), want)
		}
	}
}

// TestTraceComesRound: ages are right where the clock's units overflow.
func TestTraceComesRound(t *testing.T) {
	for _, sent := range []Time{0, 1, 1<<(32+traceUnit) - 1, 1 << (32 + traceUnit), 3<<(31+traceUnit) + 12345} {
		for _, age := range []Time{0, 1 << traceUnit, second(1), second(4000)} {
			if got := newTrace(0, sent).age(sent + age); got < age-1<<traceUnit || got > age+1<<traceUnit {
				t.Errorf("sent at %d: %d after %d", sent, got, age)
			}
		}
	}
	if newTrace(0, 0) == 0 {
		t.Error("a trace is none")
	}
}

// TestMemoryGrowsWhereUsed: nothing is made before a query ends, and nothing any more once every ID was used; telling of strays makes nothing.
func TestMemoryGrowsWhereUsed(t *testing.T) {
	told := 0
	e := &Engine{cfg: Config{Stray: func(*Stray) { told++ }}}
	s := &server{e: e}
	var m memory
	p, reply := ended(t, "www.example.com", 1, true), replyTo(ended(t, "www.example.com", 1, true))
	if m.identify(1, reply, 1); m.answered.pages != nil || m.lost.pages != nil {
		t.Error("a look at it made it grow")
	}
	for id := range 1 << 16 {
		m.note(uint16(id), p)
	}
	if m.lost.pages != nil {
		t.Error("there is room for lost queries, and none was")
	}
	id := uint16(0)
	allocs := testing.AllocsPerRun(1000, func() {
		id += 977
		m.note(id, p)
		e.tell(e.recall(&m, id, reply, Unsolicited, 2), reply, s, UDP)
	})
	if allocs != 0 || told != 1001 || e.stats.Duplicate != 1001 {
		t.Errorf("%v allocations a query; %d strays told of, %d duplicates counted, want 1001", allocs, told, e.stats.Duplicate)
	}
}

// BenchmarkMemory is what a query costs with Config.Stray, where its IDs are spread over so many.
func BenchmarkMemory(b *testing.B) {
	for _, n := range []int{1, 1000, 1 << 16} {
		b.Run(fmt.Sprintf("ids=%d", n), func(b *testing.B) {
			ids := rand.New(rand.NewPCG(1, 2)).Perm(1 << 16)[:n]
			var m memory
			p := ended(b, "h1000000.example.com", 1, true)
			for _, id := range ids {
				m.note(uint16(id), p)
			}
			b.ReportAllocs()
			next := 0
			for b.Loop() {
				m.note(uint16(ids[next]), p)
				if next++; next == n {
					next = 0
				}
			}
		})
	}
}
