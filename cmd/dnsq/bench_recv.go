package main

import (
	"fmt"
	"net/netip"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/bench/lab"
)

// benchRecv is what "bench recv" is asked to measure.
type benchRecv struct {
	grid         string
	vs           string
	distribution bool

	pair [2]recvCell // of vs
}

// documentPair is what the document compared.
const documentPair = "edge/recvfrom/2/1,edge/recvmmsg/2/1"

// newBenchRecv measures receiving: loop, backend, buffers, outstanding.
func newBenchRecv(*environment) *labBench {
	b := &benchRecv{}
	return &labBench{
		name: "recv", short: "what receiving costs, by loop, backend, buffers and outstanding", long: benchRecvHelp,
		runs: 400, seconds: 32, flags: b.flags, check: b.check, measure: b.measure,
	}
}

const benchRecvHelp = `Answer "lots of useless recvfrom() calls" (a resolver library's list, June 2018): in an edge-triggered loop, receiving until EAGAIN
spends one call that finds nothing for each wake; recvmmsg with two buffers does not.

A cell is loop/backend/buffers/outstanding: the loop edge or level, the backend recvfrom, recvmmsg, gso or uring, 1 to 64 receive buffers at most, and
1 to 4096 queries outstanding at one socket. For each cell: user, system and total CPU time (of this whole process), system calls (of backend and poller) and
empty receives a query. --grid full measures all of the grid instead of the cells that matter.

--vs A,B runs two cells in alternation, --runs times each, and compares them as ministat does, at its 99.5 % (which by its table of t is 99.8 % two-sided), and by
ranks, without a distribution assumed. Linux divides CPU time into user and system by what its tick happens to meet, unless it is built to account
each entry: in a short run that division is rough, the total is not.

--distribution measures instead how likely it is that k replies arrive in one wake, for a number outstanding, and from that how many buffers are the cheapest:
too few cost a receive and a turn more, each that is offered costs a little. The engine's own rule (resolver/slots.go) aims at the same number: it is shown beside it.`

func (b *benchRecv) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&b.grid, "grid", "short", "`which` cells: short, full, or none")
	f.StringVar(&b.vs, "vs", documentPair, "`cells` to compare, with a comma between")
	f.BoolVar(&b.distribution, "distribution", false, "measure only the replies a wake, and the best number of buffers")
}

func (b *benchRecv) check() (err error) {
	if b.grid != "short" && b.grid != "full" && b.grid != "none" {
		return usagef("--grid %s: write short, full or none", b.grid)
	}
	b.pair, err = parseRecvPair(b.vs)
	return err
}

func (b *benchRecv) measure(l *lab.Lab) (lab.Result, error) {
	server, err := l.Responder()
	if err != nil {
		return nil, err
	}
	defer l.Pin()()
	r := &recvResult{Cells: []cellResult{}, Wakes: []wakesResult{}}
	if b.distribution {
		return r, r.measureWakes(l, server, recvOutstanding(), 1)
	}
	if err := r.measureGrid(l, server, recvGridNamed(b.grid)); err != nil {
		return nil, err
	}
	if err := r.comparePair(l, server, b.pair); err != nil {
		return nil, err
	}
	return r, r.measureWakes(l, server, []int{1, 64, 1024}, wakesShare)
}

func recvGridNamed(name string) []recvCell {
	if name == "none" {
		return nil
	}
	return recvGrid(name == "full")
}

// What the parts of a whole run have of its seconds.
const (
	gridShare  = 0.35
	pairShare  = 0.55
	wakesShare = 0.1
)

// measureGrid measures one cell after the other, in a drawn order.
func (r *recvResult) measureGrid(l *lab.Lab, server netip.AddrPort, grid []recvCell) error {
	r.Cells = make([]cellResult, len(grid))
	for _, i := range l.Rand.Perm(len(grid)) {
		r.Cells[i].recvCell = grid[i]
		if err := r.Cells[i].measure(l, server, gridShare/float64(len(grid))); err != nil {
			return fmt.Errorf("cell %v: %w", grid[i], err)
		}
	}
	return nil
}

// measure measures one cell for a part of the lab's time.
func (c *cellResult) measure(l *lab.Lab, server netip.AddrPort, share float64) error {
	if _, _, err := c.mechanisms(); err != nil {
		c.Unavailable = err.Error()
		return nil
	}
	s, err := newRecvSide(c.recvCell, server, nil)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.warm(); err != nil {
		return err
	}
	used, err := s.ask(s.queries(partOf(l, share)))
	c.recvCosts = costsOf(used)
	s.tellLost(l)
	return err
}

// tellLost says where waiting for replies that did not come is in the figures.
func (s *recvSide) tellLost(l *lab.Lab) {
	if s.lost > 0 {
		l.Note("%v: %d tries got no reply within %v; its figures hold them", s.cell, s.lost, recvTimeout)
	}
}
