package main

import (
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/stat"
)

// partOf is a part of the lab's time.
func partOf(l *lab.Lab, share float64) time.Duration {
	return time.Duration(share * float64(l.Share(1)))
}

// A pairResult compares two cells by many runs of each.
type pairResult struct {
	Names    [2]string                  `json:"names"`
	Document bool                       `json:"document"` // the pair is the document's
	Queries  int                        `json:"queries"`  // a run
	Empty    [2]float64                 `json:"empty_receives"`
	Syscalls [2]float64                 `json:"syscalls"`
	Samples  map[string][2]stat.Sample  `json:"samples"` // ns a query, by the kind of time
	Compared map[string]stat.Comparison `json:"compared"`
}

// The kinds of time that are compared, in the order of printing.
func recvTimes() []string { return []string{"user", "system", "total"} }

func (c recvCosts) times() []float64 { return []float64{c.User, c.System, c.Total} }

// comparePair runs two cells in alternation.
func (r *recvResult) comparePair(l *lab.Lab, server netip.AddrPort, pair [2]recvCell) error {
	var sides []*recvSide
	defer func() {
		for _, s := range sides {
			s.tellLost(l)
			s.close()
		}
	}()
	p := &pairResult{Document: pair == documentCells(), Samples: map[string][2]stat.Sample{}, Compared: map[string]stat.Comparison{}}
	for i, c := range pair {
		p.Names[i] = c.String()
		if _, _, err := c.mechanisms(); err != nil {
			l.Note("%v cannot be compared: %v", c, err)
			return nil
		}
		s, err := newRecvSide(c, server, nil)
		if err != nil {
			return err
		}
		sides = append(sides, s)
		if err := s.warm(); err != nil {
			return err
		}
	}
	each := partOf(l, pairShare/float64(2*l.Runs))
	p.Queries = min(sides[0].queries(each), sides[1].queries(each))
	if err := p.run(l, sides); err != nil {
		return err
	}
	p.tellRough(l)
	r.Pair = p
	return p.compare()
}

func documentCells() [2]recvCell {
	pair, _ := parseRecvPair(documentPair)
	return pair
}

// run fills the samples.
func (p *pairResult) run(l *lab.Lab, sides []*recvSide) error {
	values := make([][2][]float64, len(recvTimes()))
	var total [2]resources
	err := l.Alternate(len(sides), l.Runs, func(side int) error {
		used, err := sides[side].ask(p.Queries)
		if err != nil {
			return err
		}
		for i, v := range costsOf(used).times() {
			values[i][side] = append(values[i][side], v)
		}
		t := &total[side]
		t.ended += used.ended
		t.stats.Socket.Syscalls += used.stats.Socket.Syscalls
		t.stats.Socket.EmptyReceives += used.stats.Socket.EmptyReceives
		t.stats.Loop.Syscalls += used.stats.Loop.Syscalls
		return nil
	})
	for side := range sides {
		c := costsOf(total[side])
		p.Empty[side], p.Syscalls[side] = c.Empty, c.Syscalls
	}
	for i, name := range recvTimes() {
		p.Samples[name] = [2]stat.Sample{{Name: p.Names[0], Values: values[i][0]}, {Name: p.Names[1], Values: values[i][1]}}
	}
	return err
}

// tellRough says how rough the division of CPU time is, where that shows.
func (p *pairResult) tellRough(l *lab.Lab) {
	rough, runs := 0, 0
	for _, name := range []string{"user", "system"} {
		for _, s := range p.Samples[name] {
			runs += len(s.Values)
			for _, v := range s.Values {
				if v == 0 {
					rough++
				}
			}
		}
	}
	if rough > 0 {
		l.Note("in %d of %d runs no user or no system time was booked: this system divides CPU time by what its tick meets; the total is exact", rough, runs/2)
	}
}

// compare needs two runs of each side.
func (p *pairResult) compare() error {
	for name, s := range p.Samples {
		if len(s[0].Values) < 2 {
			continue
		}
		c, err := stat.Compare(s[0], s[1], stat.DefaultLevel)
		if err != nil {
			return err
		}
		p.Compared[name] = c
	}
	return nil
}
