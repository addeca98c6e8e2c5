package resolver

import "testing"

// TestSpinner: a lead spins until its time is over; the next ones sleep at once, twice as many each time that was in vain, and one that was not makes it as before.
func TestSpinner(t *testing.T) {
	s := spinner{most: 1000}
	now := Time(0)
	// lead makes one lead whose answer comes after some nanoseconds and reports whether it spun.
	lead := func(after Time) bool {
		s.start(now)
		began, spun := now, false
		for now < began+after && s.on(now) {
			spun = true
			now += 200
		}
		now = max(now, began+after)
		s.answered()
		return spun
	}
	if !lead(400) || !lead(400) {
		t.Fatal("answers that come in time are not waited for")
	}
	for _, sleeps := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024} {
		if !lead(5000) {
			t.Fatalf("no spin before %d sleeps", sleeps)
		}
		for i := range sleeps {
			if lead(400) {
				t.Fatalf("a spin after %d sleeps of %d", i, sleeps)
			}
		}
	}
	if !lead(400) || !lead(5000) || lead(400) || !lead(400) {
		t.Error("after an answer in time it is not as in the beginning")
	}
}

// TestSpinnerEnds: without a clock that goes on, it ends by count.
func TestSpinnerEnds(t *testing.T) {
	s := spinner{most: 1000}
	s.start(7)
	n := 0
	for s.on(7) {
		n++
	}
	if n != 1000/leastPoll {
		t.Errorf("%d looks, want %d", n, 1000/leastPoll)
	}
	for _, most := range []Time{0, -1} {
		s = spinner{most: most}
		if s.start(7); s.on(7) {
			t.Errorf("a spin of %d", most)
		}
	}
}
