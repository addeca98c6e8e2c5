package load

import (
	"testing"
	"time"

	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// echo is an engine that answers each query in the turn after it was submitted, and costs nothing.
type echo struct {
	now   Time
	queue []*resolver.Query
	reply resolver.Reply
}

func (e *echo) Submit(q *resolver.Query) error { e.queue = append(e.queue, q); return nil }
func (e *echo) Now() Time                      { return e.now }
func (e *echo) Stats() (s resolver.Stats)      { return s }
func (e *echo) Close() error                   { return nil }
func (e *echo) Turn(until Time) error {
	e.now = max(e.now+Time(100*time.Microsecond), min(until, e.now+Time(time.Millisecond)))
	queue := e.queue
	e.queue = e.queue[:0]
	for _, q := range queue {
		q.Done(q, &e.reply, nil)
	}
	return nil
}

// TestNoAllocation turns a shard that is warm: what it sends, counts and hands over each second costs no memory.
func TestNoAllocation(t *testing.T) {
	for _, p := range []Plan{
		{Outstanding: 1000},
		{Rate: At(100000)},
		{Rate: At(100000), Arrival: Poisson, Servers: []Server{server(1, 0), server(2, 3)}},
		{Arrival: Recorded, Set: list{every: 10 * time.Microsecond}, Stamps: true},
		{Rate: rate("ramp 200k..50k/10m")},
	} {
		if p.Servers == nil {
			p.Servers = []Server{server(1, 0)}
		}
		if p.Set == nil {
			p.Set = list{}
		}
		run := newRun(p.prepared())
		go run.collector.run()
		s, e := run.shards[0], &echo{reply: resolver.Reply{Msg: make([]byte, 47), RTT: Time(50 * time.Microsecond)}}
		s.engine = e
		s.begin(0)
		s.roll(0)
		if s.open {
			s.advance()
		}
		turn := func() {
			e.Turn(min(s.feed(e.now), s.rollAt, s.beatAt))
			s.look(e.now)
		}
		for e.now < oneSecond/2 {
			turn()
		}
		before := s.tick.Sent
		if n := testing.AllocsPerRun(100, turn); n != 0 {
			t.Errorf("%+v: %v allocations a turn of %d queries", p, n, s.tick.Sent-before)
		}
		if s.tick.Sent-before < 1000 {
			t.Errorf("%+v: only %d were sent", p, s.tick.Sent-before)
		}
		close(run.post.full)
		<-run.collector.done
	}
}

func BenchmarkShard(b *testing.B) {
	p := Plan{Outstanding: 1000, Servers: []Server{server(1, 0)}, Set: list{}}
	s := newShard(p.prepared(), 0, newPost(false), newPulse(1, func() {}))
	e := &echo{reply: resolver.Reply{Msg: make([]byte, 47), RTT: Time(50 * time.Microsecond)}}
	s.engine = e
	s.begin(0)
	s.roll(0)
	for b.Loop() {
		s.rollAt, s.end = ioevent.Never, ioevent.Never
		s.feed(e.now)
		e.Turn(e.now)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/query")
}
