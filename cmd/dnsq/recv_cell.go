package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// A recvCell is one way to receive, and how much there is to receive: loop/backend/buffers/outstanding.
type recvCell struct {
	Loop        string `json:"loop"`
	Backend     string `json:"backend"`
	Buffers     int    `json:"buffers"` // at most; fewer are offered where fewer come
	Outstanding int    `json:"outstanding"`
}

func (c recvCell) String() string {
	return fmt.Sprintf("%s/%s/%d/%d", c.Loop, c.Backend, c.Buffers, c.Outstanding)
}

// The axes of the grid.
func recvLoops() []string    { return []string{"edge", "level"} }
func recvBackends() []string { return []string{"recvfrom", "recvmmsg", "gso", "uring"} }

// Bounds of the grid.
const (
	maxRecvBuffers     = 64
	maxRecvOutstanding = 4096
)

// recvGrid is the cells that matter, or all: the powers of two of buffers, and of four of those outstanding.
func recvGrid(full bool) (grid []recvCell) {
	pairs := [][2]int{{2, 1}, {16, 64}, {64, 1024}}
	if full {
		pairs = nil
		for buffers := 1; buffers <= maxRecvBuffers; buffers *= 2 {
			for outstanding := 1; outstanding <= maxRecvOutstanding; outstanding *= 4 {
				pairs = append(pairs, [2]int{buffers, outstanding})
			}
		}
	}
	for _, p := range pairs {
		for _, loop := range recvLoops() {
			for _, b := range recvBackends() {
				grid = append(grid, recvCell{loop, b, p[0], p[1]})
			}
		}
	}
	return grid
}

// parseRecvPair reads what --vs says.
func parseRecvPair(text string) (pair [2]recvCell, err error) {
	parts := strings.Split(text, ",")
	if len(parts) != 2 {
		return pair, usagef("--vs %q: write two cells with a comma between, as edge/recvfrom,edge/recvmmsg/2/1", text)
	}
	for i := range pair {
		if pair[i], err = parseRecvCell(parts[i]); err != nil {
			return pair, err
		}
	}
	return pair, nil
}

// parseRecvCell reads loop/backend/buffers/outstanding, of which the last two may be left out.
func parseRecvCell(text string) (c recvCell, err error) {
	fields := strings.Split(text, "/")
	c = recvCell{Buffers: 2, Outstanding: 1}
	if len(fields) < 2 || len(fields) > 4 {
		return c, usagef("--vs: cell %q: write loop/backend/buffers/outstanding, as edge/recvmmsg/2/1", text)
	}
	c.Loop, c.Backend = fields[0], fields[1]
	for _, name := range []struct {
		given string
		there []string
	}{{c.Loop, recvLoops()}, {c.Backend, recvBackends()}} {
		if !slices.Contains(name.there, name.given) {
			return c, usagef("--vs: cell %q: there is no %q; there are: %s", text, name.given, strings.Join(name.there, " "))
		}
	}
	numbers := []struct {
		to   *int
		most int
	}{{&c.Buffers, maxRecvBuffers}, {&c.Outstanding, maxRecvOutstanding}}
	for i, field := range fields[2:] {
		n := numbers[i]
		if *n.to, err = strconv.Atoi(field); err != nil || *n.to < 1 || *n.to > n.most {
			return c, usagef("--vs: cell %q: write a number from 1 to %d in place of %q", text, n.most, field)
		}
	}
	return c, nil
}

// mechanisms returns what c needs, or an error that says why it is not here.
func (c recvCell) mechanisms() (b backend.Backend, p ioevent.Mechanism, err error) {
	if b, err = backend.Named(c.Backend); err == nil {
		p, err = ioevent.Named(c.Loop)
	}
	return b, p, err
}
