package resolver

import (
	"math/rand/v2"
	"testing"
)

const all = 1 << 20 // no limit of the turn's

// TestSlotsFollowTheLoad: one query outstanding pays for two slots, bursts for as many as they fill and a few more.
func TestSlotsFollowTheLoad(t *testing.T) {
	s := newSlots(1024)
	receive := func(burst int) {
		for dry := false; !dry; {
			offered := len(s.offer(all))
			n := min(burst, offered)
			s.took(n)
			burst -= n
			dry = n < offered
		}
	}
	for _, tt := range []struct{ burst, width int }{{1, 2}, {64, 128}, {1, 2}, {300, 512}, {5000, 1024}, {2, 4}, {1, 2}} {
		for range 200 {
			receive(tt.burst)
		}
		if s.width != tt.width {
			t.Errorf("after bursts of %d a receive is offered %d slots, want %d", tt.burst, s.width, tt.width)
		}
	}
	if len(s.all) != 1024 {
		t.Errorf("%d slots were made, want the most", len(s.all))
	}
}

// TestSlotsCostLittleMoreThanTheBest: the rule knows neither what a receive costs nor how many replies come in a wake. It stays near the cheapest of all fixed
// widths for either, with the costs as "dnsq bench recv --distribution" measures them.
func TestSlotsCostLittleMoreThanTheBest(t *testing.T) {
	const call, slot = 650.0, 6.0 // ns, for a receive with its turn and for a slot offered
	for name, wake := range map[string]func(r *rand.Rand) int{
		"one":             func(*rand.Rand) int { return 1 },
		"two":             func(*rand.Rand) int { return 2 },
		"three or four":   func(r *rand.Rand) int { return 3 + r.IntN(2) },
		"64":              func(*rand.Rand) int { return 64 },
		"about 10":        func(r *rand.Rand) int { return 1 + int(9*r.ExpFloat64()) },
		"about 100":       func(r *rand.Rand) int { return 1 + int(99*r.ExpFloat64()) },
		"most small":      func(r *rand.Rand) int { return []int{1, 1, 1, 2, 3, 5, 8, 200}[r.IntN(8)] },
		"more than slots": func(*rand.Rand) int { return 5000 },
	} {
		var wakes []int
		r := rand.New(rand.NewPCG(1, 2))
		for range 5000 {
			wakes = append(wakes, wake(r))
		}
		cost := func(offer func() int, took func(int)) (ns float64) {
			for _, left := range wakes {
				for dry := false; !dry; {
					offered := offer()
					n := min(left, offered)
					took(n)
					left -= n
					dry = n < offered
					ns += call + slot*float64(offered)
				}
			}
			return ns
		}
		s := newSlots(1024)
		adaptive := cost(func() int { return len(s.offer(all)) }, s.took)
		best, width := 0.0, 0
		for w := 1; w <= 1024; w *= 2 {
			if ns := cost(func() int { return w }, func(int) {}); width == 0 || ns < best {
				best, width = ns, w
			}
		}
		t.Logf("%s: %.3f of the cost with %d slots", name, adaptive/best, width)
		if adaptive > 1.25*best {
			t.Errorf("wakes of %s: the rule costs %.2f times as much as %d slots, the best", name, adaptive/best, width)
		}
	}
}

// TestSlotsKeepToTheirLimit: the setting is never exceeded, and one is enough.
func TestSlotsKeepToTheirLimit(t *testing.T) {
	for _, most := range []int{1, 2, 3, 100} {
		s := newSlots(most)
		for range 100 {
			n := len(s.offer(all))
			if n > most {
				t.Fatalf("%d slots offered, limit %d", n, most)
			}
			s.took(n)
		}
		if s.width != most {
			t.Errorf("full receives end at %d slots, want %d", s.width, most)
		}
		for range 1000 {
			s.took(0)
		}
		if s.width != min(leastSlots, most) {
			t.Errorf("empty receives end at %d slots, want %d", s.width, min(leastSlots, most))
		}
	}
}

// TestSlotsShare: a turn that has less to give is served less, and learns nothing from what it did not offer.
func TestSlotsShare(t *testing.T) {
	s := newSlots(1024)
	for range 20 {
		s.took(len(s.offer(all)))
	}
	for range 1000 {
		if n := len(s.offer(64)); n != 64 {
			t.Fatalf("%d slots offered of a share of 64", n)
		}
		s.took(64)
	}
	if n := len(s.offer(all)); n != 1024 {
		t.Errorf("after shares of 64 a receive is offered %d slots, want 1024 as before", n)
	}
	s.offer(64)
	for range 1000 {
		s.took(0)
		s.offer(64)
	}
	if s.width != leastSlots {
		t.Errorf("with nothing to receive the width stays %d", s.width)
	}
}

func TestAllocsSlots(t *testing.T) {
	s := newSlots(64)
	for range 10 {
		s.took(len(s.offer(all)))
	}
	if n := testing.AllocsPerRun(100, func() { s.took(len(s.offer(all))) }); n != 0 {
		t.Errorf("%v allocations a receive, want 0", n)
	}
}
