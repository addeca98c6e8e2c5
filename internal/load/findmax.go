package load

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dnsq/dnsq/internal/load/result"
)

// A Search looks for the highest rate at which an SLO holds. The zero value of a field means what its comment says.
type Search struct {
	SLO     SLO
	Low     float64 // the rate to begin with; 1,000
	High    float64 // the highest one to try; 10 million
	Width   float64 // how wide the interval may be, as a share of its upper end; 0.05
	Repeats int     // how many trials each end of it must have had, most of them alike; 3
	Trials  int     // how many there may be in all; 40
	// Trial makes one run at the rate.
	Trial func(ctx context.Context, rate float64) (*result.Result, error)
	// OnTrial, if not nil, is told of each.
	OnTrial func(Trial)
}

// A Trial is one run of a search.
type Trial struct {
	Rate   float64        `json:"rate"`
	Passed bool           `json:"passed"`
	Client bool           `json:"client"` // it says nothing of the server: this machine was the limit
	Misses []string       `json:"misses,omitempty"`
	Result *result.Result `json:"-"`
}

// A Max is what a search found: the SLO holds at Low and does not at High.
type Max struct {
	Low    float64 `json:"low"`    // 0 where no trial passed
	High   float64 `json:"high"`   // 0 where none failed
	Done   bool    `json:"done"`   // the interval is as narrow as asked for, and confirmed
	Client bool    `json:"client"` // the search ended at this machine's limit
	Reason string  `json:"reason"` // why it ended, a sentence without its full stop
	Trials []Trial `json:"trials"`
}

// FindMax searches: it doubles the rate until the SLO is missed, halves the interval until it is narrow, and then tries both ends again. What most trials
// of a rate say goes; with as many for as against, it is missed. A trial that this machine was the limit of is made again, and as many in a row as
// Repeats end the search. The error is that of a trial, or of ctx; what was found until then comes with it.
func FindMax(ctx context.Context, s Search) (*Max, error) {
	def(&s.Low, 1000)
	def(&s.High, 1e7)
	def(&s.Width, 0.05)
	def(&s.Repeats, 3)
	def(&s.Trials, 40)
	if err := s.check(); err != nil {
		return nil, err
	}
	m, v := &Max{}, &votes{}
	vain := 0 // trials in a row that said nothing of the server
	for {
		rate, ok := s.next(v, m)
		if !ok {
			return m, nil
		}
		if len(m.Trials) == s.Trials {
			m.Reason = fmt.Sprintf("the %d trials allowed were not enough", s.Trials)
			return m, nil
		}
		t, err := s.try(ctx, rate)
		if err != nil {
			m.Reason = "a trial could not be made"
			return m, err
		}
		m.Trials = append(m.Trials, t)
		if s.OnTrial != nil {
			s.OnTrial(t)
		}
		if !t.Client {
			v.add(rate, t.Passed)
			vain = 0
			continue
		}
		if vain++; vain == s.Repeats {
			m.Client = true
			m.Reason = fmt.Sprintf("at %s queries a second this machine is the limit, and says nothing of the server", formatRate(rate))
			return m, nil
		}
	}
}

func (s *Search) check() error {
	switch {
	case s.Trial == nil:
		return errors.New("a search needs a trial")
	case s.SLO.IsZero():
		return errors.New("--slo: a search needs one, as loss<0.1%,p99<5ms")
	case !(s.Low >= 1 && s.High > s.Low && s.High <= maxRate):
		return fmt.Errorf("a search from %s to %s queries a second: the first must be at least 1, and the second more", formatRate(s.Low), formatRate(s.High))
	case !(s.Width >= 0.001 && s.Width <= 0.5):
		return fmt.Errorf("a search to %s of the rate: it may be 0.001 to 0.5", formatRate(s.Width))
	case s.Repeats < 1 || s.Trials < 1:
		return errors.New("a search needs at least one trial and one of each end")
	}
	return nil
}

// next is the rate to try next, by what is known. It is false, and m says why, where the search is over.
func (s *Search) next(v *votes, m *Max) (rate float64, ok bool) {
	low, high := v.interval()
	m.Low, m.High = low.rate, high.rate
	switch {
	case low.rate == 0 && high.rate == 0:
		return s.Low, true
	case high.rate == 0 && low.rate >= s.High:
		m.Reason = "the SLO holds at the highest rate that may be tried"
		return 0, false
	case high.rate == 0:
		return min(2*low.rate, s.High), true
	case low.rate == 0 && high.rate < 2:
		m.Reason = "the SLO holds at no rate"
		return 0, false
	case low.rate == 0:
		return math.Floor(high.rate / 2), true
	case high.rate-low.rate > max(1, s.Width*high.rate):
		return math.Round((low.rate + high.rate) / 2), true
	case high.trials() < s.Repeats:
		return high.rate, true
	case low.trials() < s.Repeats:
		return low.rate, true
	}
	m.Done, m.Reason = true, "the interval is as narrow as asked for"
	return 0, false
}

// try makes one trial and judges it.
func (s *Search) try(ctx context.Context, rate float64) (Trial, error) {
	if err := ctx.Err(); err != nil {
		return Trial{}, err
	}
	r, err := s.Trial(ctx, rate)
	if err == nil {
		err = ctx.Err() // it was cut short
	}
	if err != nil {
		return Trial{}, err
	}
	t := Trial{Rate: rate, Result: r, Misses: s.SLO.Misses(r), Client: clientLimit(r)}
	if above(r.Unsent.Window, r.Planned, behindShare) {
		t.Misses = append(t.Misses, fmt.Sprintf("%s of the queries could not be sent, as too many were outstanding", percent(r.Unsent.Window, r.Planned)))
	}
	t.Passed = !t.Client && len(t.Misses) == 0 && r.Verdict == result.Valid
	return t, nil
}
