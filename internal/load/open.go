package load

import "github.com/dnsq/dnsq/ioevent"

// keepSchedule sends what is due at now and returns when the next is. What is due and cannot be sent within the lag is counted and left out, so that it
// is never made up for.
func (s *shard) keepSchedule(now Time) Time {
	lag := Time(s.plan.Lag)
	for !s.over {
		at := s.start + s.due.at
		switch {
		case !s.more:
			s.conclude(s.dry, now)
		case s.ends(at):
			s.conclude(planOver, min(at, s.end))
		case at > now:
			return at
		case now-at > lag:
			s.skip()
		case s.out >= s.window:
			s.blocked = true
			return at + lag + 1
		case !s.send(at, s.due.number < 0):
			s.conclude(noQueries, at)
		default:
			s.blocked = false
			s.advance()
		}
	}
	return ioevent.Never
}

// ends reports whether the instant at hand, at the time at, is behind the plan's end.
func (s *shard) ends(at Time) bool {
	return at >= s.end || s.plan.Count > 0 && s.due.number >= int64(s.plan.Count)
}

// advance goes to the next instant.
func (s *shard) advance() {
	s.due, s.more = s.instants.next()
}

// skip leaves out the instant at hand.
func (s *shard) skip() {
	u := &s.tick.Unsent
	if s.due.number >= 0 || s.tick.At < 0 {
		if s.blocked {
			u.Window++
		} else {
			u.Behind++
		}
	}
	s.held = false
	s.advance()
}

// recording gives the instants of the recording that a shard's queries come from.
type recording struct {
	shard  *shard
	speed  float64
	warm   Time
	last   Time
	number int64
}

// next reads the query whose instant it is, and leaves it with the shard. What goes back in time is due at once.
func (r *recording) next() (instant, bool) {
	s := r.shard
	if s.held = s.source.Next(&s.query); !s.held {
		return instant{}, false
	}
	r.last = max(r.last, Time(float64(s.query.At)/r.speed))
	i := instant{at: r.last, number: r.number}
	if r.last < r.warm {
		i.number = -1
	} else {
		r.number += int64(s.plan.Threads) // about as many go to the other shards
	}
	return i, true
}

// newInstants are those of the shard.
func (s *shard) newInstants() instants {
	p := s.plan
	s.dry = planOver // a profile that has come to 0 for good
	if p.Arrival == Recorded {
		s.dry = noQueries
		return &recording{shard: s, speed: p.Speed, warm: Time(p.Warmup), number: int64(s.index)}
	}
	return newSchedule(p.Rate, p.Arrival, p.Seed, Time(p.Warmup), s.index, p.Threads)
}
