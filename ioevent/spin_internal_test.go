package ioevent

import (
	"errors"
	"runtime"
	"testing"
	"time"
)

// looker is a poller that has an event, or fails, at its n-th look.
type looker struct {
	t     *testing.T
	n     int // looks to come, 0: there is never an event
	err   error
	looks int
	each  func()
}

func (p *looker) Wait(_ []Event, block bool) (int, error) {
	if block {
		p.t.Fatal("spin slept")
	}
	p.looks++
	if p.each != nil {
		p.each()
	}
	switch {
	case p.looks != p.n:
		return 0, nil
	case p.err != nil:
		return 0, p.err
	}
	return 1, nil
}

func (p *looker) Add(int, Token, Interest) error { return nil }
func (p *looker) Remove(int) error               { return nil }
func (p *looker) Close() error                   { return nil }
func (p *looker) FD() int                        { return 7 }

func (p *looker) Arm(Time) error {
	p.t.Error("the other poller's timer was set")
	return nil
}

func (p *looker) Wake() error {
	p.t.Error("the other poller was woken")
	return nil
}

func newSpin(t *testing.T, p *looker) (*spin, *Counters) {
	t.Helper()
	c := new(Counters)
	p.t = t
	s, err := spinOver(func(*Counters) (Poller, error) { return p, nil })(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := s.(Descriptor); ok {
		t.Error("a loop could sleep on spin's descriptor, which no wake-up makes readable")
	}
	return s.(*spin), c
}

func TestSpinLooksUntilThereIsSomething(t *testing.T) {
	bad := errors.New("bad")
	for _, tt := range []struct {
		name   string
		looker looker
		before func(s *spin)
		looks  int
		events int
		reads  uint64
	}{
		{"an event", looker{n: 1}, func(*spin) {}, 1, 1, 0},
		{"an event later", looker{n: 3*looks + 1}, func(*spin) {}, 3*looks + 1, 1, 0},
		{"an event while a timer runs", looker{n: 3*looks + 1}, func(s *spin) { s.Arm(Never - 1) }, 3*looks + 1, 1, 3},
		{"an error", looker{n: 9, err: bad}, func(*spin) {}, 9, 0, 0},
		{"woken before", looker{}, func(s *spin) { s.Wake() }, 1, 0, 0},
		{"a timer that has come", looker{}, func(s *spin) { s.Arm(0) }, looks, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, c := newSpin(t, &tt.looker)
			tt.before(s)
			n, err := s.Wait(make([]Event, 1), true)
			if n != tt.events || !errors.Is(err, tt.looker.err) || tt.looker.looks != tt.looks || c.ClockReads != tt.reads {
				t.Errorf("Wait = %d, %v after %d looks and %d clock reads; want %d, %v, %d, %d",
					n, err, tt.looker.looks, c.ClockReads, tt.events, tt.looker.err, tt.looks, tt.reads)
			}
		})
	}
}

func TestSpinTellsOnce(t *testing.T) {
	for name, before := range map[string]func(s *spin){
		"woken":   func(s *spin) { s.Wake() },
		"due":     func(s *spin) { s.Arm(0) },
		"stopped": func(s *spin) { s.Wake(); s.Wait(nil, false); s.Arm(0); s.Arm(Never) },
	} {
		t.Run(name, func(t *testing.T) {
			p := &looker{}
			s, _ := newSpin(t, p)
			before(s)
			if name != "stopped" {
				s.Wait(nil, true)
			}
			p.n = p.looks + 10*looks
			if n, err := s.Wait(make([]Event, 1), true); n != 1 || err != nil {
				t.Errorf("the next wait ended after %d looks with %d, %v; want an event", p.looks, n, err)
			}
		})
	}
}

// TestSpinLetsOthersRun: on one processor the goroutine that is to wake the loop gets its turns.
func TestSpinLetsOthersRun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p := &looker{}
	s, _ := newSpin(t, p)
	const turns = 100
	late := time.AfterFunc(20*time.Second, func() { s.Wake() })
	defer late.Stop()
	go func() {
		for range turns {
			runtime.Gosched()
		}
		s.Wake()
	}()
	if _, err := s.Wait(nil, true); err != nil {
		t.Fatal(err)
	}
	// The runtime would take the processor away after 10 ms: millions of looks at nothing.
	if most := 100 * turns * looks; p.looks > most {
		t.Errorf("%d looks while another goroutine took %d turns, want %d at most", p.looks, turns, most)
	}
}
