package load

import (
	"errors"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/resolver"
)

// tally is what one shard counts besides its ticks, of the measured part alone.
type tally struct {
	interrupted  uint64
	sentOctets   uint64
	octets       uint64
	truncated    uint64
	answers      uint64                  // of the warm-up, too: for who asks whether anybody answers
	refusedBy    []bool                  // of each server, too: whether a query to it was refused, by the network or by this machine
	firstRefusal error                   // of this machine
	timeouts     *hdrhistogram.Histogram // of response times that are not known but for their least
	late, queued *hdrhistogram.Histogram
	rows         rows
	targets      []targetTally // where there are several
}

// targetTally is one server's part.
type targetTally struct {
	sent, completed   uint64
	response, service *hdrhistogram.Histogram // the first nil in a closed plan
}

func newTally(p *Plan) tally {
	t := tally{timeouts: result.NewHistogram(), late: result.NewHistogram(), queued: result.NewHistogram(), rows: newRows(), refusedBy: make([]bool, len(p.Servers))}
	if len(p.Servers) == 1 {
		return t
	}
	for range p.Servers {
		x := targetTally{service: result.NewHistogram()}
		if p.Open() {
			x.response = result.NewHistogram()
		}
		t.targets = append(t.targets, x)
	}
	return t
}

// counts reports whether f counts in the tick at hand: what belongs to the warm-up does in the warm-up's.
func (s *shard) counts(f *flight) bool { return !f.warm || s.tick.At < 0 }

// answered books an answer.
func (s *shard) answered(f *flight, r *resolver.Reply, now Time) {
	s.tally.answers++
	if !s.counts(f) {
		return
	}
	t := s.tick
	t.Completed++
	record(t.Service, r.RTT)
	if s.open {
		record(t.Response, now-f.intended)
		record(t.Pacing, now-r.RTT-f.intended)
	}
	if !f.warm {
		s.detail(f, r, now)
	}
}

// detail books what an answer says beyond its time.
func (s *shard) detail(f *flight, r *resolver.Reply, now Time) {
	y := &s.tally
	y.octets += uint64(len(r.Msg))
	if r.Truncated {
		y.truncated++
	}
	y.rows.list[f.row].rcode(r.Rcode)
	if s.plan.Stamps {
		record(y.queued, r.Queued)
	}
	if y.targets == nil {
		return
	}
	x := &y.targets[f.target]
	x.completed++
	record(x.service, r.RTT)
	if s.open {
		record(x.response, now-f.intended)
	}
}

// fate sorts an error, and keeps the first that is this machine's.
func (s *shard) fate(f *flight, err error) fate {
	why := fateOf(err, s.plan.Transport)
	if why == notSent && s.tally.firstRefusal == nil {
		s.tally.firstRefusal = err
	}
	if why == unreached || why == hungUp || why == notSent {
		s.tally.refusedBy[f.target] = true
	}
	return why
}

// lost books a query that ended without an answer. sent is when it left.
func (s *shard) lost(f *flight, why fate, sent, now Time) {
	if why == cutShort {
		if !f.warm {
			s.tally.interrupted++
		}
		return
	}
	if !s.counts(f) {
		return
	}
	book(&s.tick.Lost, why)
	if s.open {
		record(s.tick.Pacing, sent-f.intended)
	}
	if why == timedOut && !f.warm {
		s.unanswered(f, now)
	}
}

// unanswered books the response time of one that timed out: at least the timeout.
func (s *shard) unanswered(f *flight, now Time) {
	waited := s.timeout
	if s.open {
		waited = max(waited, now-f.intended)
	}
	record(s.tally.timeouts, waited)
}

// overdue books an answer that came after the timeout and before anybody looked at the clock.
func (s *shard) overdue(f *flight, rtt, now Time) {
	s.tally.answers++
	s.lost(f, timedOut, now-rtt, now)
	if s.counts(f) {
		s.tick.Strays.Late++
	}
	if !f.warm {
		record(s.tally.late, rtt)
	}
}

// sentAt is when a query left that ended at now with err, or else when it should have.
func sentAt(err error, now, intended Time) Time {
	var e *resolver.Error
	if errors.As(err, &e) && len(e.Attempts) > 0 {
		return now - e.Attempts[len(e.Attempts)-1].RTT
	}
	return max(intended, 0)
}

func record(h *hdrhistogram.Histogram, d Time) { result.Record(h, time.Duration(d), 1) }
