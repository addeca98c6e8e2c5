package load

import "time"

const (
	oneSecond = Time(time.Second)
	beat      = 50 * Time(time.Millisecond) // how long an interrupt may take to be seen
)

// look does what is to be done from time to time, at now.
func (s *shard) look(now Time) {
	if now >= s.rollAt {
		s.roll(now)
	}
	if now < s.beatAt {
		return
	}
	s.beatAt = now + beat
	if why, yes := s.pulse.beat(s, now); yes && !(s.over && s.out == 0) {
		s.conclude(why, now)
	}
}

// roll hands over the ticks of the seconds that are over at now, empty ones too where a turn took so long, and begins another.
func (s *shard) roll(now Time) {
	for s.tick == nil || now >= s.rollAt {
		at := s.second(s.start)
		if s.tick != nil {
			at = s.tick.At + 1
			s.tick.InFlight = s.out
			s.post.put(s.tick)
		}
		s.tick = s.post.blank(s.index, at)
		s.rollAt = s.measured + Time(at+1)*oneSecond
		s.tick.Target = s.target(at)
		if at >= 0 && !s.marked {
			s.marked, s.base = true, s.engine.Stats()
			s.pulse.begin()
		}
	}
}

// target is the shard's part of what the plan has in a second, a second.
func (s *shard) target(at int) float64 {
	if s.plan.Rate.IsZero() {
		return 0
	}
	from := max(s.measured+Time(at)*oneSecond, s.start)
	to := min(s.measured+Time(at+1)*oneSecond, s.end)
	if to <= from {
		return 0
	}
	p := s.plan.Rate
	n := p.Queries(time.Duration(to-s.start)) - p.Queries(time.Duration(from-s.start))
	return n / float64(s.plan.Threads) * float64(oneSecond) / float64(to-from)
}
