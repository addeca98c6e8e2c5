package main

import (
	"math"
	"testing"

	"github.com/dnsq/dnsq/backend"
)

// wakesOf counts wakes by their number of datagrams.
func wakesOf(times map[int]uint64) (wakes []uint64) {
	for k, n := range times {
		for len(wakes) <= k {
			wakes = append(wakes, 0)
		}
		wakes[k] += n
	}
	return wakes
}

// Figures by hand, with 100 for a receive and 1 for a buffer.
func TestReceiveCost(t *testing.T) {
	c := receiveCost{Call: 100, Buffer: 1}
	for _, tt := range []struct {
		wakes map[int]uint64
		n     int
		want  float64
	}{
		{map[int]uint64{1: 7}, 1, 202}, // one that is full, and an empty one
		{map[int]uint64{1: 7}, 2, 102},
		{map[int]uint64{1: 7}, 64, 164},
		{map[int]uint64{4: 1}, 4, 52},
		{map[int]uint64{4: 1}, 8, 27},
		{map[int]uint64{0: 1, 10: 1}, 4, (104 + 3*104) / 10.0},
		{map[int]uint64{1: 1, 3: 1}, 2, (102 + 2*102) / 4.0},
	} {
		if got := c.perDatagram(wakesOf(tt.wakes), tt.n); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%v with %d buffers: %v a datagram, want %v", tt.wakes, tt.n, got, tt.want)
		}
	}
	for _, tt := range []struct {
		wakes map[int]uint64
		want  int
	}{
		{map[int]uint64{1: 1}, 2}, {map[int]uint64{2: 1}, 4}, {map[int]uint64{3: 1}, 4}, {map[int]uint64{64: 1}, 128},
		{map[int]uint64{1: 99, 300: 1}, 16}, {map[int]uint64{1: 9999, 300: 1}, 2}, {nil, 1}, {map[int]uint64{5000: 1}, 1024},
	} {
		if got, _ := c.best(wakesOf(tt.wakes), backend.MaxBatch); got != tt.want {
			t.Errorf("%v: %d buffers are best, want %d", tt.wakes, got, tt.want)
		}
	}
}

// A wake goes on to the receive that finds no more. What was offered all the time costs what was reckoned for it.
func TestTally(t *testing.T) {
	y := &tally{}
	for _, r := range []struct {
		n   int
		dry bool
	}{{4, false}, {4, false}, {1, true}, {0, true}, {3, true}, {4, false}, {0, true}} {
		y.saw(4, r.n, r.dry)
	}
	if want := wakesOf(map[int]uint64{9: 1, 0: 1, 3: 1, 4: 1}); !equal(y.wakes, want) || y.offered[4] != 7 || mean(y.wakes) != 4 || mean(y.offered) != 4 {
		t.Errorf("wakes %v, offered %v", y.wakes, y.offered)
	}
	c := receiveCost{Call: 10, Buffer: 3}
	if got, want := c.offeredCost(y), c.perDatagram(y.wakes, 4); got != want {
		t.Errorf("a datagram cost %v, want %v", got, want)
	}
	y.reset()
	if mean(y.wakes) != 0 || mean(y.offered) != 0 {
		t.Errorf("after reset: %v, %v", y.wakes, y.offered)
	}
}

func equal(a, b []uint64) bool {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return false
		}
	}
	return true
}
