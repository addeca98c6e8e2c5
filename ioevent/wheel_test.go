package ioevent

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// bell counts its calls and remembers when the last came.
type bell struct {
	timer Timer
	rung  int
	now   Time
	then  func()
}

func (b *bell) Expire(now Time) {
	b.rung++
	b.now = now
	if b.then != nil {
		b.then()
	}
}

func newBell(then func()) *bell {
	b := &bell{then: then}
	b.timer.Init(b)
	return b
}

func TestWheelFiresAtItsTime(t *testing.T) {
	const second = Time(1e9)
	times := []Time{1, 2, 63, 64, 65, 127, 4095, 4096, 4097, second - 1, second, second + 1, 64 * second, 3600 * second, 1 << 60, Never - 1}
	for _, start := range []Time{0, 1, 62, 63, 64, 4095, 12345678901, second} {
		for _, after := range times {
			if after > Never-1-start {
				continue
			}
			var w wheel
			w.expire(start)
			b := newBell(nil)
			at := start + after
			w.start(&b.timer, at)
			if got := w.next(); got != at {
				t.Fatalf("from %d: next = %d, want %d", start, got, at)
			}
			w.expire(at - 1)
			if got := w.next(); b.rung != 0 || got != at || !b.timer.Active() {
				t.Fatalf("from %d: a nanosecond before %d: rung %d, next %d", start, at, b.rung, got)
			}
			w.expire(at)
			if b.rung != 1 || b.now != at || b.timer.Active() || w.next() != Never {
				t.Fatalf("from %d: at %d: rung %d at %d, next %d", start, at, b.rung, b.now, w.next())
			}
		}
	}
}

func TestWheelNever(t *testing.T) {
	var w wheel
	b := newBell(nil)
	w.start(&b.timer, Never)
	w.expire(1 << 62)
	if b.rung != 0 || w.next() != Never || !b.timer.Active() {
		t.Errorf("a timer for Never: rung %d, next %d", b.rung, w.next())
	}
	if !w.stop(&b.timer) || w.stop(&b.timer) {
		t.Error("it does not stop once")
	}
}

func TestWheelPastIsDueAtOnce(t *testing.T) {
	var w wheel
	w.expire(100)
	b := newBell(nil)
	for _, at := range []Time{100, 7, 0, -1} {
		w.start(&b.timer, at)
		if w.next() != 100 {
			t.Errorf("timer for %d: next = %d, want now", at, w.next())
		}
		w.expire(100)
	}
	if b.rung != 4 {
		t.Errorf("rung %d of 4 times", b.rung)
	}
}

func TestWheelClockBackwards(t *testing.T) {
	var w wheel
	w.expire(100)
	b := newBell(nil)
	w.start(&b.timer, 150)
	w.expire(50)
	if b.rung != 0 || w.next() != 150 {
		t.Errorf("after a step back: rung %d, next %d", b.rung, w.next())
	}
	late := newBell(nil)
	w.start(&late.timer, 75)
	w.expire(60)
	if late.rung != 1 || late.now != 100 {
		t.Errorf("started for a time that has been: rung %d at %d, want once at the wheel's 100", late.rung, late.now)
	}
}

func TestWheelStoppedIsStaleOnce(t *testing.T) {
	var w wheel
	first, second := newBell(nil), newBell(nil)
	w.start(&first.timer, 70_000)
	w.start(&second.timer, 70_100)
	w.stop(&first.timer)
	if next := w.next(); next != 70_000 && next != 70_100 {
		t.Fatalf("next = %d", next)
	}
	w.expire(70_000)
	if next := w.next(); next != 70_100 {
		t.Errorf("after the stale time next = %d, want 70100", next)
	}
}

func TestWheelCallbacks(t *testing.T) {
	var w wheel
	other := newBell(nil)
	var again, stopper *bell
	again = newBell(func() { w.start(&again.timer, again.now) }) // would go on for ever within one call
	stopper = newBell(func() { w.stop(&other.timer) })
	w.start(&again.timer, 10)
	w.start(&stopper.timer, 10)
	w.start(&other.timer, 10) // due in the same call, behind its stopper
	w.expire(10)
	if again.rung != 1 || stopper.rung != 1 || other.rung != 0 {
		t.Errorf("rung again %d, stopper %d, stopped %d; want 1, 1, 0", again.rung, stopper.rung, other.rung)
	}
	if w.next() != 10 {
		t.Errorf("next = %d, want now", w.next())
	}
	w.expire(10)
	if again.rung != 2 {
		t.Errorf("started for now in its own callback: rung %d, want 2", again.rung)
	}
}

func TestWheelPanicLosesNothing(t *testing.T) {
	var w wheel
	bad, good := newBell(func() { panic("bad") }), newBell(nil)
	w.start(&bad.timer, 1)
	w.start(&good.timer, 1)
	func() {
		defer func() { _ = recover() }()
		w.expire(1)
	}()
	w.expire(1)
	if good.rung != 1 || bad.rung != 1 {
		t.Errorf("rung bad %d, good %d; want 1 and 1", bad.rung, good.rung)
	}
}

// model is what a wheel must be like: a sorted list.
type model struct{ running []*bell }

func (m *model) stop(b *bell) bool {
	i := slices.Index(m.running, b)
	if i >= 0 {
		m.running = slices.Delete(m.running, i, i+1)
	}
	return i >= 0
}

func (m *model) start(b *bell, at Time) {
	m.stop(b)
	i, _ := slices.BinarySearchFunc(m.running, at+1, func(b *bell, at Time) int { return int(min(1, max(-1, b.timer.at-at))) })
	m.running = slices.Insert(m.running, i, b)
}

// due removes and returns what an expire(now) must fire.
func (m *model) due(now Time) []*bell {
	i := slices.IndexFunc(m.running, func(b *bell) bool { return b.timer.at > now })
	if i < 0 {
		i = len(m.running)
	}
	due := slices.Clone(m.running[:i])
	m.running = slices.Delete(m.running, 0, i)
	return due
}

// A trial does the same to a wheel and to the model and compares.
type trial struct {
	wheel  wheel
	model  model
	bells  []*bell
	fired  []*bell
	missed int // times at which next was early, after a stop
	stops  int
}

func newTrial(n int) *trial {
	tr := new(trial)
	for range n {
		var b *bell
		b = newBell(func() { tr.fired = append(tr.fired, b) })
		tr.bells = append(tr.bells, b)
	}
	return tr
}

func (tr *trial) start(i int, at Time) {
	b := tr.bells[i%len(tr.bells)]
	if b.timer.Active() {
		tr.stops++
	}
	tr.wheel.start(&b.timer, at)
	tr.model.start(b, at)
}

func (tr *trial) stop(t *testing.T, i int) {
	b := tr.bells[i%len(tr.bells)]
	want := tr.model.stop(b)
	if got := tr.wheel.stop(&b.timer); got != want {
		t.Fatalf("stop of a timer for %d = %v, want %v", b.timer.at, got, want)
	}
	if want {
		tr.stops++
	}
}

func (tr *trial) expire(t *testing.T, now Time) {
	tr.fired = tr.fired[:0]
	tr.wheel.expire(now)
	want := tr.model.due(now)
	order := func(a, b *bell) int { return slices.Index(tr.bells, a) - slices.Index(tr.bells, b) }
	slices.SortFunc(tr.fired, order)
	slices.SortFunc(want, order)
	if !slices.Equal(tr.fired, want) {
		t.Fatalf("at %d: %d timers fired, want %d", now, len(tr.fired), len(want))
	}
	tr.checkNext(t)
}

func (tr *trial) checkNext(t *testing.T) {
	earliest := Never
	if len(tr.model.running) > 0 {
		earliest = max(tr.model.running[0].timer.at, tr.wheel.now)
	}
	next := tr.wheel.next()
	if next > earliest || next < tr.wheel.now {
		t.Fatalf("at %d: next = %d, earliest is %d", tr.wheel.now, next, earliest)
	}
	if next < earliest {
		tr.missed++
		if tr.missed > tr.stops {
			t.Fatalf("next was early %d times after %d stops", tr.missed, tr.stops)
		}
		tr.expire(t, next) // which must not be early again without a stop
	}
}

func TestWheelAgainstSortedList(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		tr := newTrial(200)
		spans := []Time{1, 10, 100, 5000, 1e6, 1e9, 3600e9, 1 << 55}
		for range 5000 {
			now, span := tr.wheel.now, spans[r.IntN(len(spans))]
			switch r.IntN(5) {
			case 0, 1:
				tr.start(r.Int(), now+Time(r.Int64N(int64(span))))
			case 2:
				tr.start(r.Int(), now/1000*1000+1000) // often the same instant
			case 3:
				tr.stop(t, r.Int())
			case 4:
				if span == 1<<55 && r.IntN(8) > 0 {
					span = 1000 // that far not every time
				}
				tr.expire(t, now+Time(r.Int64N(int64(span))))
			}
			tr.checkNext(t)
		}
		tr.expire(t, Never)
		if len(tr.model.running) != 0 || tr.wheel.next() != Never {
			t.Fatal("timers left at the end of time")
		}
	}
}

func FuzzWheel(f *testing.F) {
	f.Add([]byte{0, 1, 5, 0, 2, 200, 2, 0, 9, 1, 1, 0, 2, 3, 255})
	f.Add([]byte{0, 0, 63, 0, 1, 64, 2, 10, 0, 2, 20, 3, 1, 0, 0, 2, 62, 1})
	f.Fuzz(func(t *testing.T, program []byte) {
		tr := newTrial(16)
		for ; len(program) >= 3; program = program[3:] {
			op, a, b := program[0], program[1], program[2]
			far := min(Time(b)<<(a%56), Never-1-tr.wheel.now)
			switch op % 3 {
			case 0:
				tr.start(int(op/3), tr.wheel.now+far)
			case 1:
				tr.stop(t, int(op/3))
			case 2:
				tr.expire(t, tr.wheel.now+far)
			}
			tr.checkNext(t)
		}
	})
}

func TestWheelAllocatesNothing(t *testing.T) {
	var w wheel
	tr := newTrial(64)
	var now Time
	if n := testing.AllocsPerRun(100, func() {
		for i, b := range tr.bells {
			w.start(&b.timer, now+Time(i)*1e6)
		}
		w.stop(&tr.bells[3].timer)
		tr.fired = tr.fired[:0]
		now += 50e6
		w.expire(now)
		_ = w.next()
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkWheel(b *testing.B) {
	var w wheel
	bells := newTrial(10_000).bells
	now := Time(0)
	for i := 0; b.Loop(); i++ {
		t := &bells[i%len(bells)].timer
		w.stop(t)
		now += 500
		w.start(t, now+2e9)
		if i%64 == 0 {
			w.expire(now)
		}
	}
}

// BenchmarkTimer is a timer that is stopped before it comes, as most are, beside so many others.
func BenchmarkTimer(b *testing.B) {
	for _, others := range []int{0, 999, 99_999} {
		b.Run(fmt.Sprintf("running=%d", others+1), func(b *testing.B) {
			var w wheel
			bells := newTrial(others + 1).bells
			for i, bell := range bells {
				w.start(&bell.timer, Time(i)*1e4+2e9)
			}
			at := Time(len(bells))*1e4 + 2e9
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				t := &bells[i].timer
				w.stop(t)
				w.start(t, at)
				at += 1e4
				if i++; i == len(bells) {
					i = 0
				}
			}
		})
	}
}
