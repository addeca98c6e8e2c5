package responder

import (
	"math"
	"testing"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

const (
	second = ioevent.Time(time.Second)
	epoch  = 1000 * second
)

// Below the capacity nothing is lost, however long; above it what is too much, but for what the queue took.
func TestLimiter(t *testing.T) {
	for _, tt := range []struct{ rate, want int }{{1, 0}, {19_000, 0}, {20_000, 0}, {21_000, 10*1000 - 200}, {40_000, 10*20_000 - 200}} {
		l := newLimiter(&Faults{Limit: 20_000, LimitQueue: DefaultLimitQueue})
		dropped := 0
		for i := range 10 * tt.rate {
			now := epoch + ioevent.Time(i)*second/ioevent.Time(tt.rate)
			done, ok := l.take(now, now)
			if !ok {
				dropped++
			} else if wait := done - now; wait <= 0 || wait > ioevent.Time(DefaultLimitQueue+50*time.Microsecond) {
				t.Fatalf("%d a second: done after %v", tt.rate, time.Duration(wait))
			}
		}
		if slack := 2; dropped < tt.want-slack || dropped > tt.want+slack {
			t.Errorf("%d a second for 10 s: %d dropped, want %d", tt.rate, dropped, tt.want)
		}
	}
}

// A burst gets what the queue holds, and the one in service.
func TestLimiterBurst(t *testing.T) {
	l := newLimiter(&Faults{Limit: 1000, LimitQueue: 10 * time.Millisecond})
	taken := 0
	for range 100 {
		if done, ok := l.take(epoch, epoch); ok {
			taken++
			if want := epoch + ioevent.Time(taken)*second/1000; done != want {
				t.Errorf("query %d is done at %v, want %v", taken, done-epoch, want-epoch)
			}
		}
	}
	if taken != 11 {
		t.Errorf("%d of a burst taken, want 11", taken)
	}
}

// What a late thread sees at once did not come at once: nothing of it is lost, and the capacity stays what it is.
func TestLimiterLate(t *testing.T) {
	l := newLimiter(&Faults{Limit: 20_000, LimitQueue: DefaultLimitQueue})
	l.take(epoch, epoch)
	for name, tt := range map[string]struct{ queries, taken int }{"below": {1899, 1899}, "beyond": {2500, 2201}} {
		l, taken := l, 0 // a copy
		for range tt.queries {
			if _, ok := l.take(epoch, epoch+second/10); ok {
				taken++
			}
		}
		if taken < tt.taken-2 || taken > tt.taken+2 {
			t.Errorf("%s the capacity: %d of %d taken, want %d", name, taken, tt.queries, tt.taken)
		}
	}
}

func TestPulse(t *testing.T) {
	u := newHot(t, Config{Faults: Faults{Limit: 1}})
	p, now := newPulse(u.shard.loop), u.shard.loop.Now()
	for _, tt := range []struct{ now, want ioevent.Time }{{now, now}, {now + beat/2, now + beat/2}, {now + 9*beat, now + beat}} {
		if got := p.since(tt.now); got != tt.want {
			t.Errorf("%v later: since %v, want %v", time.Duration(tt.now-now), time.Duration(got-now), time.Duration(tt.want-now))
		}
	}
	p.loop.Stop(&p.timer)
	for n := 1; ; n++ {
		if p.Expire(now); !p.timer.Active() {
			if n != beats {
				t.Errorf("it stopped after %d beats", n)
			}
			break
		}
		p.stop()
	}
}

func TestStallLeft(t *testing.T) {
	const ms = ioevent.Time(time.Millisecond)
	once, often := Stall{200 * time.Millisecond, 2 * time.Second, 0}, Stall{200 * time.Millisecond, 2 * time.Second, 5 * time.Second}
	for _, tt := range []struct {
		after       ioevent.Time
		once, often time.Duration
	}{
		{0, 0, 0},
		{2000*ms - 1, 0, 0},
		{2000 * ms, 200 * time.Millisecond, 200 * time.Millisecond},
		{2150 * ms, 50 * time.Millisecond, 50 * time.Millisecond},
		{2200 * ms, 0, 0},
		{7000*ms - 1, 0, 0},
		{7000 * ms, 0, 200 * time.Millisecond},
		{12199 * ms, 0, time.Millisecond},
	} {
		if once, often := once.left(epoch, epoch+tt.after), often.left(epoch, epoch+tt.after); once != tt.once || often != tt.often {
			t.Errorf("after %v: %v and %v left, want %v and %v", time.Duration(tt.after), once, often, tt.once, tt.often)
		}
	}
}

// The mean of uniform jitter is half of it, that of exponential jitter all; the seed says which follow.
func TestDelayer(t *testing.T) {
	const n, jitter = 100_000, 2 * time.Millisecond
	for _, tt := range []struct {
		exponential bool
		mean, least time.Duration
	}{{false, 6 * time.Millisecond, 5 * time.Millisecond}, {true, 7 * time.Millisecond, 5 * time.Millisecond}} {
		f := Faults{Delay: 5 * time.Millisecond, Jitter: jitter, Exponential: tt.exponential, Seed: 1}
		d, same := newDelayer(&f), newDelayer(&f)
		f.Seed = 2
		other := newDelayer(&f)
		var sum, most time.Duration
		differ := false
		for range n {
			x := d.next()
			if x < tt.least || x != same.next() {
				t.Fatalf("%v: less than %v, or not the same with the same seed", x, tt.least)
			}
			differ = differ || x != other.next()
			sum, most = sum+x, max(most, x)
		}
		if mean := sum / n; math.Abs(float64(mean-tt.mean)) > float64(30*time.Microsecond) {
			t.Errorf("exponential %v: mean %v, want %v", tt.exponential, mean, tt.mean)
		}
		if !differ || (most > 7*time.Millisecond) != tt.exponential {
			t.Errorf("exponential %v: at most %v; differs with the seed: %v", tt.exponential, most, differ)
		}
	}
}

// What one fault draws does not change what another does.
func TestLossAndJitterAreIndependent(t *testing.T) {
	loses := func(f Faults) (list []bool) {
		g := newGate(&f)
		for i := range 100 {
			_, why := g.judge(epoch, epoch+ioevent.Time(i))
			list = append(list, why == lost)
		}
		return list
	}
	plain, late := loses(Faults{Loss: 0.3, Seed: 5}), loses(Faults{Loss: 0.3, Seed: 5, Jitter: time.Second})
	for i := range plain {
		if plain[i] != late[i] {
			t.Fatalf("query %d is lost or not depending on jitter", i)
		}
	}
}

func TestFaultsCheck(t *testing.T) {
	for _, f := range []Faults{
		{Loss: -0.1}, {Loss: 1.1}, {Loss: math.NaN()}, {Limit: -1}, {Limit: math.Inf(1)}, {Rcode: 16}, {Rcode: -1}, {Delay: -1}, {Jitter: -1},
		{LimitQueue: -1}, {CloseAfter: -1}, {Stall: Stall{Length: -1}}, {Stall: Stall{Length: 2, Every: 2}},
	} {
		if _, err := Open(Config{Faults: f}); err == nil {
			t.Errorf("%+v was taken", f)
		}
	}
}
