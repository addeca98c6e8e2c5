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
	for range 2 {
		if !lead(400) {
			t.Fatal("an answer that comes in time is not waited for")
		}
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
	for i, after := range []Time{400, 5000, 400, 400} {
		if spun, want := lead(after), i != 2; spun != want {
			t.Errorf("lead %d after all that: spun %v, want %v: an answer in time makes it as in the beginning", i, spun, want)
		}
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
