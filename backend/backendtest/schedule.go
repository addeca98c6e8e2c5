package backendtest

import (
	"container/heap"
	"time"
)

// A schedule runs what is due, in order: by time, then as it was added. One timer serves it, so that no goroutine waits. What is due at once is run by a
// goroutine of its own: a timer of a testing/synctest bubble that fires at once is run by whoever sets it, and where two do that at a time the race detector of
// Go 1.26 breaks (runtime.(*timer).unlockAndRun lends both of them one context).
type schedule struct {
	events  events
	added   uint64
	timer   *time.Timer
	pump    func() // runs on a goroutine of its own or of the timer's
	running bool   // a pump is at it and will arm the timer
	stopped bool
	calls   []func() // what events want called without the lock
}

type event struct {
	at  time.Time
	seq uint64
	run func() // under the network's lock
}

// add has run called, under the network's lock, at the time at. Whatever is added runs later, never within add.
func (s *schedule) add(at time.Time, run func()) {
	if s.stopped {
		return
	}
	s.added++
	heap.Push(&s.events, event{at, s.added, run})
	if !s.running && s.events[0].seq == s.added {
		s.arm()
	}
}

func (s *schedule) arm() {
	d := time.Until(s.events[0].at)
	if d <= 0 {
		go s.pump()
		return
	}
	if s.timer == nil {
		s.timer = time.AfterFunc(d, s.pump)
		return
	}
	s.timer.Reset(d)
}

// call has f called without the lock once the events that are due have run.
func (s *schedule) call(f func()) { s.calls = append(s.calls, f) }

func (s *schedule) stop() {
	s.stopped, s.events, s.calls = true, nil, nil
	if s.timer != nil {
		s.timer.Stop()
	}
}

// pump runs what is due.
func (n *Network) pump() {
	s := &n.schedule
	n.mu.Lock()
	defer n.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	for len(s.events) > 0 && !s.events[0].at.After(time.Now()) {
		heap.Pop(&s.events).(event).run()
		calls := s.calls
		s.calls = nil
		n.mu.Unlock()
		for _, f := range calls {
			f()
		}
		n.mu.Lock()
	}
	s.running = false
	if len(s.events) > 0 {
		s.arm()
	}
}

// events is a heap, the next first.
type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at.Before(e[j].at) || e[i].at.Equal(e[j].at) && e[i].seq < e[j].seq
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	old := *e
	last := old[len(old)-1]
	old[len(old)-1] = event{}
	*e = old[:len(old)-1]
	return last
}
