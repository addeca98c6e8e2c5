package main

import (
	"errors"
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/stat"
	"github.com/dnsq/dnsq/internal/bench/wait"
)

// loopCosts are what some queries took.
type loopCosts struct {
	counts wait.Counts
	cpu    time.Duration
}

// perDatagram is the CPU time in nanoseconds.
func (c loopCosts) perDatagram() float64 { return float64(c.cpu) / float64(max(c.counts.Datagrams, 1)) }

// A loopResult is what a loop does and takes with so many queries outstanding.
type loopResult struct {
	wait.Way
	Outstanding int     `json:"outstanding"`
	Wakes       uint64  `json:"wakes"`
	Datagrams   float64 `json:"datagrams"`   // a wake
	Waits       float64 `json:"waits"`       // a wake; more where it is polled
	TimedWaits  float64 `json:"timed_waits"` // a wake
	ClockReads  float64 `json:"clock_reads"` // a wake, of the loop's own
	Wake        float64 `json:"wake_ns"`     // CPU time a wake
	Datagram    float64 `json:"datagram_ns"` // CPU time a datagram
}

func loopResultOf(w wait.Way, outstanding int, c loopCosts) loopResult {
	n := float64(max(c.counts.Wakes, 1))
	return loopResult{
		w, outstanding, c.counts.Wakes, float64(c.counts.Datagrams) / n, float64(c.counts.Waits) / n, float64(c.counts.TimedWaits) / n,
		float64(c.counts.ClockReads) / n, float64(c.cpu) / n, c.perDatagram(),
	}
}

// measureLoops measures one loop after the other, in a drawn order.
func (r *waitResult) measureLoops(l *lab.Lab, server netip.AddrPort) error {
	ways, loads := wait.Ways(), r.loads()
	results := make([]loopResult, len(ways)*len(loads))
	each := partOf(l, loopShare/float64(len(results)))
	for _, i := range l.Rand.Perm(len(results)) {
		w, outstanding := ways[i%len(ways)], loads[i/len(ways)]
		s, err := newWaitSide(w, server, outstanding)
		if errors.Is(err, errors.ErrUnsupported) {
			return nil // as measureCalls has said
		}
		if err != nil {
			return err
		}
		costs, err := s.ask(s.queries(each))
		s.tellLost(l)
		_ = s.Close()
		if err != nil {
			return err
		}
		results[i] = loopResultOf(w, outstanding, costs)
	}
	r.Loops = results
	return nil
}

// A waysResult compares two loops under load by many runs of each.
type waysResult struct {
	Names    [2]string        `json:"names"`
	Document bool             `json:"document"` // the pair is the document's
	Queries  int              `json:"queries"`  // a run
	Samples  [2]stat.Sample   `json:"samples"`  // CPU ns a datagram
	Compared *stat.Comparison `json:"compared,omitempty"`
}

// compareWays runs two loops in alternation.
func (r *waitResult) compareWays(l *lab.Lab, server netip.AddrPort, pair [2]wait.Way) error {
	var sides []*waitSide
	defer func() {
		for _, s := range sides {
			s.tellLost(l)
			_ = s.Close()
		}
	}()
	p := &waysResult{}
	for i, w := range pair {
		s, err := newWaitSide(w, server, r.Outstanding)
		if errors.Is(err, errors.ErrUnsupported) {
			return nil
		}
		if err != nil {
			return err
		}
		sides = append(sides, s)
		p.Names[i], p.Samples[i].Name = w.String(), w.String()
	}
	p.Document = p.Names[0]+","+p.Names[1] == documentWays
	each := partOf(l, waysShare/float64(2*l.Runs))
	p.Queries = min(sides[0].queries(each), sides[1].queries(each))
	err := l.Alternate(len(sides), l.Runs, func(i int) error {
		costs, err := sides[i].ask(p.Queries)
		p.Samples[i].Values = append(p.Samples[i].Values, costs.perDatagram())
		return err
	})
	if err != nil {
		return err
	}
	r.Pair = p
	if l.Runs < 2 {
		return nil
	}
	c, err := stat.Compare(p.Samples[0], p.Samples[1], stat.DefaultLevel)
	p.Compared = &c
	return err
}

// An engineResult is how the library's engine waits with so many queries outstanding.
type engineResult struct {
	Outstanding int     `json:"outstanding"`
	Poller      string  `json:"poller"`
	Datagrams   uint64  `json:"datagrams"`
	Turns       float64 `json:"turns"`       // a datagram, as all that follow
	Waits       float64 `json:"waits"`       // slept or not
	Wakes       float64 `json:"wakes"`       // those that slept
	TimedWaits  float64 `json:"timed_waits"` // none
	ClockReads  float64 `json:"clock_reads"`
	CPU         float64 `json:"cpu_ns"`
}

// measureEngine measures the backend and the poller that are taken where none is named.
func (r *waitResult) measureEngine(l *lab.Lab, server netip.AddrPort) error {
	loads := r.loads()
	for _, outstanding := range loads {
		e := engineResult{Outstanding: outstanding}
		if err := e.measure(l, server, engineShare/float64(len(loads))); err != nil {
			return err
		}
		r.Engine = append(r.Engine, e)
	}
	return nil
}

func (e *engineResult) measure(l *lab.Lab, server netip.AddrPort, share float64) error {
	cell := recvCell{Outstanding: e.Outstanding} // and the defaults
	_, p, err := cell.mechanisms()
	if err != nil {
		return err
	}
	s, err := newRecvSide(cell, server, nil)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.warm(); err != nil {
		return err
	}
	before := s.client.stats().Loop
	used, err := s.ask(s.queries(partOf(l, share)))
	after := s.client.stats().Loop
	s.tellLost(l)
	e.Poller, e.Datagrams = p.Name, after.Datagrams-before.Datagrams
	each := func(before, after uint64) float64 { return float64(after-before) / float64(max(e.Datagrams, 1)) }
	e.Turns, e.Waits = each(before.Turns, after.Turns), each(before.Waits, after.Waits)
	e.Wakes, e.TimedWaits = each(before.Wakes, after.Wakes), each(before.TimedWaits, after.TimedWaits)
	e.ClockReads, e.CPU = each(before.ClockReads, after.ClockReads), costsOf(used).Total
	return err
}
