package main

import (
	"errors"
	"net/netip"
	"time"

	"github.com/miekg/dns"
	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/bench/lab"
)

const typeA = dns.TypeA

// benchBudget is what "bench budget" is asked to measure.
type benchBudget struct {
	antagonists int
	rate        int           // queries a second
	work        time.Duration // for a datagram
	names       names
}

// newBenchBudget measures what the budget of a turn is good for.
func newBenchBudget(*environment) *labBench {
	b := &benchBudget{names: newNames(1 << 10)}
	return &labBench{
		name: "budget", short: "a query stream's latency beside antagonists in one loop, with the budget of a turn and without", long: benchBudgetHelp,
		runs: 8, seconds: 24, flags: b.flags, check: b.check, measure: b.measure,
	}
}

const benchBudgetHelp = `Answer "softirq: reduce latencies" (a kernel patch): rounds of work that go on while there is work keep the processor from everybody else, for up to 20 ms
there; a limit of 2 ms, with the rest left for later, cut the latency of one stream under 200 antagonist streams to a tenth.

Here it is a loop of this library. A stream of queries at a fixed rate (--rate) shares it with --antagonists sockets that another process floods from another
processor, as fast as it can: more than the loop can take, so that every queue is full. Each datagram costs --work besides receiving it.

With the budget off, a handler receives until there is no more (EAGAIN) and a turn calls all handlers that are ready; timers, and with them the queries that are
due, wait for its end, and so do replies. With the budget on, all is as the library has it by default: a handler receives one batch of 64, and a turn ends when
2 ms are spent; the handlers that were not reached come first in the next. The sockets have the system's receive buffer, some 270 such datagrams. A reply still
waits for one round of all handlers: the batch bounds that, the time bounds what timers and new queries wait. (The resolver's own sockets let the batch follow the load.)
A handler that does not stay with its socket may cost some of the flood's throughput; the end of the turn by itself does not.

A query's latency is from when it was due, not from when the loop came to send it. The queries that are late are sent all the same, together. Runs alternate. Where the
P99 without the budget is under 10 ms, the antagonists are doubled until it is not, up to 6400. The flood's throughput is what the loop took of it while the stream asked.`

// Bounds of what may be asked for.
const (
	maxAntagonists = 6400
	maxBudgetRate  = 10_000
	maxBudgetWork  = time.Millisecond
)

func (b *benchBudget) flags(c *cobra.Command) {
	f := c.Flags()
	f.IntVar(&b.antagonists, "antagonists", 200, "sockets that are flooded")
	f.IntVar(&b.rate, "rate", 200, "queries a second of the stream")
	f.DurationVar(&b.work, "work", time.Microsecond, "what each datagram of the flood costs besides receiving it")
}

func (b *benchBudget) check() error {
	switch {
	case b.antagonists < 1 || b.antagonists > maxAntagonists:
		return usagef("--antagonists %d: write a number from 1 to %d", b.antagonists, maxAntagonists)
	case b.rate < 1 || b.rate > maxBudgetRate:
		return usagef("--rate %d: write a number from 1 to %d", b.rate, maxBudgetRate)
	case b.work < 0 || b.work > maxBudgetWork:
		return usagef("--work %v: write a length of time from 0s to %v", b.work, maxBudgetWork)
	}
	return nil
}

// starved is the P99, in µs, from which the stream is taken to starve without a budget.
const starved = 10_000

func (b *benchBudget) measure(l *lab.Lab) (lab.Result, error) {
	server, err := l.Responder()
	if err != nil {
		return nil, err
	}
	defer l.Pin()()
	each := l.Share(2*l.Runs + 1)
	field, err := b.starve(l, server, each)
	if errors.Is(err, errors.ErrUnsupported) {
		return &budgetResult{Antagonists: b.antagonists, Rate: b.rate, Work: float64(b.work), Unavailable: err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	defer field.close()
	r := newBudgetResult(b, len(field.sockets))
	sides := budgetSides()
	err = l.Alternate(len(sides), l.Runs, func(side int) error {
		before := field.dropped()
		s, err := field.run(b, sides[side], server, each)
		if err == nil {
			r.add(side, s, field.dropped()-before)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, r.finish(l)
}

// starve opens as many antagonists as it takes for the stream to starve, and at least those asked for.
func (b *benchBudget) starve(l *lab.Lab, server netip.AddrPort, each time.Duration) (*budgetField, error) {
	for n := b.antagonists; ; n = min(2*n, maxAntagonists) {
		field, err := openField(n)
		if err != nil {
			return nil, err
		}
		err = field.start(l)
		var s *budgetStream
		if err == nil {
			s, err = field.run(b, budgetSides()[0], server, each)
		}
		if err != nil {
			field.close()
			return nil, err
		}
		p99 := latencyOf(s.latencies).P99
		if p99 >= starved || n == maxAntagonists { // at the most, the result says that nothing could be shown
			return field, nil
		}
		field.close()
		l.Note("%d antagonists do not starve the stream: its P99 without the budget is %.1f ms; doubled", n, p99/1e3)
	}
}
