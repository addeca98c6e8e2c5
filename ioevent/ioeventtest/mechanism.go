package ioeventtest

import (
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/ioevent"
)

// TestMechanism checks that m does what ioevent.Poller says and that a Loop on it does what ioevent.Loop says. It is skipped where m
// does not work.
func TestMechanism(t *testing.T, m ioevent.Mechanism) {
	if err := m.Probe(); err != nil {
		require.Skip(t, "%v", err)
	}
	t.Run("Poller", func(t *testing.T) { runPollerTests(t, m, sleepTests()) })
	t.Run("Files", func(t *testing.T) { runPollerTests(t, m, fileTests(m)) })
	t.Run("Loop", func(t *testing.T) { runLoopTests(t, m, 1) })
	t.Run("LoopOnADearClock", func(t *testing.T) { runLoopTests(t, m, 8) })
}

type pollerTest struct {
	name string
	run  func(b *bench)
}

func runPollerTests(t *testing.T, m ioevent.Mechanism, tests []pollerTest) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(newBench(t, m)) })
	}
}

// A bench is an open poller under test.
type bench struct {
	*testing.T
	mechanism ioevent.Mechanism
	poller    ioevent.Poller
	counters  ioevent.Counters
	evs       []ioevent.Event
}

// slack is how late something may be on a busy machine.
const slack = 5 * time.Second

const ms = ioevent.Time(time.Millisecond)

func newBench(t *testing.T, m ioevent.Mechanism) *bench {
	t.Helper()
	b := &bench{T: t, mechanism: m, evs: make([]ioevent.Event, 16)}
	p, err := m.Open(&b.counters)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	b.poller = p
	t.Cleanup(func() {
		if b.counters.TimedWaits != 0 {
			t.Errorf("%d timed waits", b.counters.TimedWaits)
		}
		if err := p.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return b
}

// must fails the test with err, which what returned.
func (b *bench) must(what string, err error) {
	b.Helper()
	if err != nil {
		b.Fatalf("%s: %v", what, err)
	}
}

// look waits without sleeping.
func (b *bench) look() []ioevent.Event {
	b.Helper()
	n, err := b.poller.Wait(b.evs, false)
	b.must("Wait", err)
	return b.evs[:n]
}

// sleep waits until the wait ends by itself. One that does not end is woken after the slack, and a failure.
func (b *bench) sleep() []ioevent.Event {
	b.Helper()
	late := time.AfterFunc(slack, func() {
		b.Errorf("still asleep after %v", slack)
		_ = b.poller.Wake()
	})
	defer late.Stop()
	n, err := b.poller.Wait(b.evs, true)
	b.must("Wait", err)
	return b.evs[:n]
}

// sleepUntil sleeps and checks that it neither ended before at nor brought an event.
func (b *bench) sleepUntil(what string, at ioevent.Time) {
	b.Helper()
	evs := b.sleep()
	if now := ioevent.Now(); now < at {
		b.Errorf("%s: the sleep ended %v too early", what, time.Duration(at-now))
	}
	if len(evs) != 0 {
		b.Errorf("%s: events %v, want none", what, evs)
	}
}

// after calls what on another goroutine, which the end of the test waits for.
func (b *bench) after(d ioevent.Time, what func()) {
	done := make(chan struct{})
	time.AfterFunc(time.Duration(d), func() {
		defer close(done)
		what()
	})
	b.Cleanup(func() { <-done })
}

func (b *bench) arm(at ioevent.Time) {
	b.Helper()
	b.must("Arm", b.poller.Arm(at))
}

func (b *bench) wake() {
	b.Helper()
	b.must("Wake", b.poller.Wake())
}
