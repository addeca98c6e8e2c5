package load

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/dnsq/dnsq/resolver"
)

// A schedule gives one of several shards the instants of an open plan that are its own: each shard knows all of them and takes every n-th, so that
// together they are the plan, whatever n is.
type schedule struct {
	cursor cursor
	shard  uint64
	shards uint64
	k      uint64     // the next instant of the plan
	warm   Time       // where the measured part begins
	warmed uint64     // the instants before that
	gaps   *rand.Rand // of a Poisson process, or nil
	count  float64    // the sum of its gaps before k
}

// Time is on the engine's clock, or since the start of the run.
type Time = resolver.Time

// instant is a time at which a query is to be sent, since the start of the run. number counts from the first one of the measured part.
type instant struct {
	at     Time
	number int64
}

// newSchedule is that of one shard for a profile that includes the warm-up.
func newSchedule(p Profile, law Arrival, seed uint64, warm Time, shard, shards int) *schedule {
	s := &schedule{cursor: cursor{parts: p.parts}, shard: uint64(shard), shards: uint64(shards), warm: warm}
	if law == Poisson {
		s.gaps = rand.New(rand.NewPCG(seed, 'p'))
		s.count = s.gaps.ExpFloat64()
		return s
	}
	s.warmed = firstAfter(p, warm)
	return s
}

// firstAfter is the number of evenly spaced instants before the time t.
func firstAfter(p Profile, t Time) uint64 {
	about := math.Floor(p.Queries(time.Duration(t)))
	k := uint64(max(0, about-1))
	for c := (cursor{parts: p.parts}); ; k++ {
		if s, ok := c.at(float64(k)); !ok || nanoseconds(s) >= t {
			return k
		}
	}
}

// next is the shard's next instant; false where there is none.
func (s *schedule) next() (instant, bool) {
	for {
		k := s.k
		seconds, ok := s.cursor.at(s.position(k))
		if !ok {
			return instant{}, false
		}
		at := nanoseconds(seconds)
		s.advance(at)
		if k%s.shards == s.shard {
			return instant{at: at, number: int64(k) - int64(s.warmed)}, true
		}
	}
}

// position is how many queries, by the profile, the instant k comes after.
func (s *schedule) position(k uint64) float64 {
	if s.gaps != nil {
		return s.count
	}
	return float64(k)
}

// advance goes to the next instant. Those of a Poisson process have to be made one by one; of the others, only the shard's own.
func (s *schedule) advance(at Time) {
	if s.gaps == nil {
		s.k += 1 + (s.shard+s.shards-(s.k+1)%s.shards)%s.shards
		return
	}
	s.k++
	s.count += s.gaps.ExpFloat64()
	if at < s.warm {
		s.warmed++
	}
}

func nanoseconds(seconds float64) Time { return Time(math.Round(seconds * 1e9)) }
