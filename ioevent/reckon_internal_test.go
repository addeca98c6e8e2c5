package ioevent

import (
	"testing"
	"time"
)

// TestReadCost measures clocks of which each read takes a time of its own.
func TestReadCost(t *testing.T) {
	for _, tt := range []struct {
		name  string
		takes func(read int) Time
		cost  time.Duration
		reads int
		rule  int
	}{
		{"a bubble's", func(int) Time { return 0 }, 0, 5, 1},
		{"TSC by vDSO", func(int) Time { return 19 }, 19, 5, 1},
		{"just cheap", func(int) Time { return 200 }, 200, 5, 1},
		{"TSC by system call", func(int) Time { return 279 }, 279, 15, 8},
		{"HPET by system call", func(int) Time { return 2475 }, 2475, 15, 8},
		{"cheap, interrupted once", func(read int) Time {
			if read == 3 {
				return Time(time.Millisecond)
			}
			return 19
		}, 19, 10, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reads, now := 0, Time(0)
			cost := readCost(func() Time {
				reads++
				now += tt.takes(reads)
				return now
			})
			if cost != tt.cost || reads != tt.reads || ruleFor(cost) != tt.rule {
				t.Errorf("%v after %d reads, a read each %d turns; want %v, %d, %d", cost, reads, ruleFor(cost), tt.cost, tt.reads, tt.rule)
			}
		})
	}
}

// TestStep is what a turn is reckoned to take: faster ones are believed at once, slower ones by and by, a gap and a stall not at all.
func TestStep(t *testing.T) {
	r := reckoner{every: 1, gap: true}
	now := Time(0)
	for i, tt := range []struct {
		took Time
		gap  bool
		step Time
	}{
		{5000, true, 0},
		{800, false, 800},
		{1600, false, 900},
		{100, false, 100},
		{900, false, 200},
		{Time(time.Hour), true, 200},
		{Time(time.Hour), false, 200 + (maxStep-200)/8},
	} {
		now += tt.took
		r.gap = tt.gap
		if !r.turn() {
			t.Fatalf("%d: the rule of one turn a read does not hold", i)
		}
		if r.read(now); r.step != tt.step || r.reckoned() != now {
			t.Errorf("%d: step %d, time %d; want %d, %d", i, r.step, r.reckoned(), tt.step, now)
		}
	}
}
