package main

import (
	"net/netip"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/bench/lab"
)

// recvOutstanding are the numbers that a distribution is measured for.
func recvOutstanding() []int { return []int{1, 4, 16, 64, 256, 1024, 4096} }

// A wakesResult is how many replies arrive in one wake with so many queries outstanding, and what follows for the number of buffers.
type wakesResult struct {
	Outstanding int          `json:"outstanding"`
	Wakes       uint64       `json:"wakes"`
	Mean        float64      `json:"mean"`         // replies a wake
	Replies     []chance     `json:"replies"`      // only those that came
	Best        int          `json:"best_buffers"` // the cheapest number, always offered
	BestCost    float64      `json:"best_ns"`      // a reply
	Offered     float64      `json:"offered"`      // by the engine, on average
	OfferedCost float64      `json:"offered_ns"`   // a reply
	Costs       []bufferCost `json:"buffer_costs"`
}

// A chance is the probability that a wake has k replies.
type chance struct {
	K int     `json:"k"`
	P float64 `json:"p"`
}

// A bufferCost is what a reply costs with so many buffers.
type bufferCost struct {
	Buffers int     `json:"buffers"`
	Cost    float64 `json:"ns"`
}

// wakesBackend is that of the engine whose wakes are counted: where every receive is one call, up to the short one.
const wakesBackend = "recvmmsg"

// measureWakes measures distributions in a part of the lab's time.
func (r *recvResult) measureWakes(l *lab.Lab, server netip.AddrPort, outstanding []int, share float64) error {
	c := recvCell{Loop: "edge", Backend: wakesBackend, Buffers: backend.MaxBatch}
	b, p, err := c.mechanisms()
	if err != nil {
		l.Note("the replies a wake are not measured: %v", err)
		return nil
	}
	cost, err := measureReceive(b, p)
	if err != nil {
		return err
	}
	r.Receive = &cost
	for _, n := range outstanding {
		c.Outstanding = n
		w := wakesResult{Outstanding: n}
		if err := w.measure(l, server, c, cost, share/float64(len(outstanding))); err != nil {
			return err
		}
		r.Wakes = append(r.Wakes, w)
	}
	return nil
}

func (w *wakesResult) measure(l *lab.Lab, server netip.AddrPort, c recvCell, cost receiveCost, share float64) error {
	t := &tally{}
	s, err := newRecvSide(c, server, t.watch)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.warm(); err != nil {
		return err
	}
	t.reset()
	_, err = s.ask(s.queries(partOf(l, share)))
	s.tellLost(l)
	w.from(t, cost)
	return err
}

// from reckons with what was counted.
func (w *wakesResult) from(t *tally, cost receiveCost) {
	for _, n := range t.wakes {
		w.Wakes += n
	}
	for k, n := range t.wakes {
		if n > 0 {
			w.Replies = append(w.Replies, chance{k, float64(n) / float64(w.Wakes)})
		}
	}
	w.Mean, w.Offered = mean(t.wakes), mean(t.offered)
	w.Best, w.BestCost = cost.best(t.wakes, backend.MaxBatch)
	w.OfferedCost = cost.offeredCost(t)
	for b := 1; b <= backend.MaxBatch; b *= 2 {
		w.Costs = append(w.Costs, bufferCost{b, cost.perDatagram(t.wakes, b)})
	}
}
