package resolver

import "testing"

// TestSlotsFollowTheLoad: one query outstanding pays for two slots, bursts for as many as they fill and a few more.
func TestSlotsFollowTheLoad(t *testing.T) {
	s := newSlots(1024)
	receive := func(burst int) {
		for dry := false; !dry; {
			offered := len(s.offer())
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

// TestSlotsKeepToTheirLimit: the setting is never exceeded, and one is enough.
func TestSlotsKeepToTheirLimit(t *testing.T) {
	for _, most := range []int{1, 2, 3, 100} {
		s := newSlots(most)
		for range 100 {
			n := len(s.offer())
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

func TestAllocsSlots(t *testing.T) {
	s := newSlots(64)
	for range 10 {
		s.took(len(s.offer()))
	}
	if n := testing.AllocsPerRun(100, func() { s.took(len(s.offer())) }); n != 0 {
		t.Errorf("%v allocations a receive, want 0", n)
	}
}
