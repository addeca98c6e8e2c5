package main

import (
	"time"

	"github.com/dnsq/dnsq/internal/machine"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// A budgetStream asks at a fixed rate, by an Engine that the loop turns as any program's loop would: see Engine.IOEvent.
type budgetStream struct {
	loop   *ioevent.Loop
	engine *resolver.Engine
	names  names

	ask, wake    ioevent.Timer // for the next query, and for Engine.Timeouts
	every        ioevent.Time
	begin, due   ioevent.Time // when the first is due, and the next
	end, latest  ioevent.Time // after the last, and when to give up
	asked        int
	out, lost    int
	idle         []*budgetQuery
	latencies    []float64    // µs
	turned, long ioevent.Time // when the last turn was, and the longest
	first, last  floodMark    // at the last turn before the begin, and at the end: one turn may be longer than what is between
}

// A floodMark is how much of the flood the loop had taken at a time.
type floodMark struct {
	at               ioevent.Time
	cpu              time.Duration
	datagrams, turns uint64
}

// A budgetQuery is one of the stream's, to be used again.
type budgetQuery struct {
	resolver.Query
	due ioevent.Time
}

// timerFunc makes a function an ioevent.Expirer.
type timerFunc func(now ioevent.Time)

func (f timerFunc) Expire(now ioevent.Time) { f(now) }

// start begins the stream after a while of flood only.
func (s *budgetStream) start(d, warm time.Duration, rate int) {
	now := ioevent.Now()
	s.every = ioevent.Time(time.Second) / ioevent.Time(rate)
	s.begin = now + ioevent.Time(warm)
	s.due, s.end = s.begin, s.begin+ioevent.Time(d)
	s.latest = s.end + ioevent.Time(streamPatience)
	s.ask.Init(timerFunc(s.askDue))
	s.wake.Init(timerFunc(func(ioevent.Time) {})) // the tick of the same turn is what is wanted
	s.loop.Start(&s.ask, s.due)
	s.first = s.mark()
}

// streamPatience is how long the last queries may take.
const streamPatience = 5 * time.Second

// askDue asks what is due by now: a loop that comes late asks late, and that is in the latency, which counts from when the query was due.
func (s *budgetStream) askDue(now ioevent.Time) {
	for ; s.due <= now && s.due < s.end; s.due += s.every {
		s.submit(s.due)
	}
	if s.due >= s.end && s.last.at == 0 && now >= s.end {
		s.last = s.mark()
	}
	switch {
	case s.last.at == 0:
		s.loop.Start(&s.ask, min(s.due, s.end))
	case s.out > 0 && now < s.latest:
		s.loop.Start(&s.ask, s.latest)
	default:
		s.loop.Quit()
	}
}

func (s *budgetStream) mark() floodMark {
	c := s.loop.Counters()
	user, sys := machine.CPUTimes()
	return floodMark{ioevent.Now(), user + sys, c.Datagrams, c.Turns}
}

// warmed marks the end of a turn, unless that lasted into the run.
func (s *budgetStream) warmed() {
	if m := s.mark(); m.at < s.begin {
		s.first = m
	}
}

func (s *budgetStream) submit(due ioevent.Time) {
	var q *budgetQuery
	if n := len(s.idle); n > 0 {
		q, s.idle = s.idle[n-1], s.idle[:n-1]
	} else {
		q = &budgetQuery{}
		q.Question.Type = typeA
		q.Done = func(_ *resolver.Query, _ *resolver.Reply, err error) { s.done(q, err) }
	}
	q.due, q.Name = due, s.names.at(s.asked)
	s.asked++
	if err := s.engine.Submit(&q.Query); err != nil {
		s.lost++
		return
	}
	s.out++
}

func (s *budgetStream) done(q *budgetQuery, err error) {
	s.out--
	s.idle = append(s.idle, q)
	if err != nil {
		s.lost++
	} else {
		s.latencies = append(s.latencies, float64(ioevent.Now()-q.due)/1e3)
	}
	if s.last.at != 0 && s.out == 0 {
		s.loop.Quit()
	}
}

// HandleEvent takes the engine's replies.
func (s *budgetStream) HandleEvent(ioevent.Event) (dry bool) {
	s.engine.IOEvent(s.loop.Now())
	return true // what it leaves over makes Timeouts say "at once"
}

// tick sends what is queued.
func (s *budgetStream) tick(now ioevent.Time) (more bool) {
	if s.turned != 0 && now >= s.begin && s.turned < s.end {
		s.long = max(s.long, now-s.turned)
	}
	s.turned = now
	if now < s.begin {
		s.warmed()
	}
	next := s.engine.Timeouts(now)
	if next <= now {
		s.engine.IOEvent(now)
		return true
	}
	if next != ioevent.Never {
		s.loop.Start(&s.wake, next)
	}
	return false
}
