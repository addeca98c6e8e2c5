package ioevent

import (
	"runtime"
	"sync/atomic"
)

// spin waits without ever sleeping: it looks again and again, by way of another poller, until there is something. A wake-up is a flag and
// the timer a comparison, so the other poller's own are idle. It is no Descriptor: a loop that slept on one would have nothing of it.
type spin struct {
	Poller   // what looks
	counters *Counters
	at       Time // what is armed
	woken    atomic.Bool
}

// looks is how many are made from one comparison with the clock to the next, some 10 µs. Goroutines that wait for the processor get
// it then: with GOMAXPROCS=1 nobody could ever wake the loop otherwise before the runtime preempts it after 10 ms. (What a goroutine
// waits for in package net it is told only by an idle processor, or each 10 ms: spinning wants a processor to spare.)
const looks = 64

func spinOver(open func(*Counters) (Poller, error)) func(*Counters) (Poller, error) {
	return func(c *Counters) (Poller, error) {
		p, err := open(c)
		if err != nil {
			return nil, err
		}
		return &spin{Poller: p, counters: c, at: Never}, nil
	}
}

func (p *spin) Arm(at Time) error {
	p.at = at
	return nil
}

func (p *spin) Wake() error {
	p.woken.Store(true)
	return nil
}

func (p *spin) Wait(evs []Event, block bool) (int, error) {
	for i := 1; ; i++ {
		n, err := p.Poller.Wait(evs, false)
		woken := p.woken.Load() && p.woken.Swap(false)
		if n > 0 || woken || !block || err != nil {
			return n, err
		}
		if i%looks == 0 {
			if p.due() {
				return 0, nil
			}
			runtime.Gosched()
		}
	}
}

// due reports whether the armed time has come, once.
func (p *spin) due() bool {
	if p.at == Never {
		return false
	}
	p.counters.ClockReads++
	if Now() < p.at {
		return false
	}
	p.at = Never
	return true
}
