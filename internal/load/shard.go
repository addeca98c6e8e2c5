package load

import (
	"time"

	"github.com/dnsq/dnsq/internal/load/queries"
	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// A shard is one thread's part of a run. All of it is that thread's alone, but for what it hands to its post and its pulse.
type shard struct {
	plan   *Plan
	index  int
	engine engine
	ways   *ways
	source queries.Source
	post   *post
	pulse  *pulse
	flags  resolver.Flags

	start    Time // of the run
	measured Time // when the warm-up ends
	end      Time // when no more is sent, or ioevent.Never
	timeout  Time
	window   int
	open     bool

	query    queries.Query // the next one, where held says so
	held     bool
	instants instants // of an open plan
	due      instant  // the next of them
	more     bool     // there is one
	dry      ending   // what it means that there is none
	blocked  bool     // the window has held it back
	left     uint64   // of a closed plan's count
	over     bool     // no more is sent
	why      ending

	free   []*flight
	out    int // outstanding
	tick   *result.Tick
	rollAt Time // the end of its second
	beatAt Time
	tally  tally
	base   resolver.Stats // when the measured part began
	marked bool           // base is set

	began Time // the first send
	last  Time // when the sending was over
	cost  cost // of the measured part
}

// ending says why no more is sent.
type ending uint8

const (
	planOver ending = iota // by its duration, count or profile
	noQueries
	stopped
	unreachable
)

// instants are those of an open plan that are one shard's.
type instants interface {
	next() (instant, bool)
}

// run makes the shard's part. It returns the engine's error.
func (s *shard) run() error {
	err := s.wait()
	s.roll(s.start)
	if s.open {
		s.advance()
	}
	for err == nil && !s.finished() {
		next := min(s.feed(s.engine.Now()), s.rollAt, s.beatAt)
		err = s.engine.Turn(next)
		s.look(s.engine.Now())
	}
	s.finish()
	return err
}

// wait is for the start.
func (s *shard) wait() (err error) {
	for err == nil && s.engine.Now() < s.start {
		err = s.engine.Turn(s.start)
	}
	return err
}

func (s *shard) finished() bool {
	return s.over && (s.out == 0 || s.why == stopped || s.why == unreachable)
}

// feed sends what is to be sent at now and returns when there will be more, should nothing come.
func (s *shard) feed(now Time) Time {
	switch {
	case s.over:
		return ioevent.Never
	case s.open:
		return s.keepSchedule(now)
	}
	return s.keepWindow(now)
}

// keepWindow has as many outstanding as may be.
func (s *shard) keepWindow(now Time) Time {
	warm := now < s.measured
	if now >= s.end || !warm && s.left == 0 { // also with a full window: nothing is to be waited for but answers
		s.conclude(planOver, min(now, s.end))
		return ioevent.Never
	}
	for n := 0; s.out < s.window; n++ {
		if !warm && s.left == 0 {
			s.conclude(planOver, now)
			return ioevent.Never
		}
		if n == s.window {
			return now // some ended at once; the clock has to go on
		}
		if !s.send(now, warm) {
			s.conclude(noQueries, now)
			return ioevent.Never
		}
		if !warm {
			s.left--
		}
	}
	return s.end
}

// conclude ends the sending at the time at.
func (s *shard) conclude(why ending, at Time) {
	if !s.over {
		s.over, s.last = true, max(at, s.measured)
	}
	s.why = why
}

// send submits the next query. It is false where there is none.
func (s *shard) send(intended Time, warm bool) bool {
	if !s.held && !s.source.Next(&s.query) {
		return false
	}
	s.held = false
	f := s.takeFlight()
	way := s.ways.next()
	f.intended, f.warm, f.row, f.target = intended, warm, s.tally.rows.of(s.query.Type), s.ways.targets[way]
	f.query.Raw, f.query.Servers = s.query.Raw, s.ways.perWay[way]
	if !warm || s.tick.At < 0 {
		s.tick.Sent++
	}
	if !warm {
		s.detailSent(f)
	}
	if s.out++; s.began == 0 {
		s.began = s.engine.Now()
	}
	if err := s.engine.Submit(&f.query); err != nil {
		s.out--
		s.lost(f, s.fate(f, err), intended, intended)
		s.free = append(s.free, f)
	}
	return true
}

func (s *shard) detailSent(f *flight) {
	y := &s.tally
	y.rows.list[f.row].sent++
	y.sentOctets += uint64(len(f.query.Raw))
	if y.targets != nil {
		y.targets[f.target].sent++
	}
}

// finish ends what is outstanding and hands over the last tick.
func (s *shard) finish() {
	if !s.over {
		s.conclude(stopped, s.engine.Now())
	}
	s.roll(s.engine.Now())
	end := s.engine.Stats()
	s.cost = costOf(&end, &s.base)
	s.engine.Close() // what is outstanding ends now
	s.post.put(s.tick)
}

// second is the number of the second that the time t lies in.
func (s *shard) second(t Time) int {
	n := (t - s.measured) / Time(time.Second)
	if t < s.measured && (t-s.measured)%Time(time.Second) != 0 {
		n--
	}
	return int(n)
}
