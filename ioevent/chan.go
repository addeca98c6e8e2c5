package ioevent

import (
	"errors"
	"fmt"
	"time"
)

// channel is the poller that works everywhere, in a testing/synctest bubble too, since it waits as goroutines do. It watches no
// descriptors: readiness comes through Loop.Notify.
type channel struct {
	counters *Counters
	woken    chan struct{}
	timer    *time.Timer
}

var _ Poller = (*channel)(nil)

func portable() Mechanism {
	return Mechanism{Name: "chan", Edge: true, Probe: func() error { return nil }, Open: openChannel}
}

func openChannel(c *Counters) (Poller, error) {
	p := &channel{counters: c, woken: make(chan struct{}, 1), timer: time.NewTimer(0)}
	p.timer.Stop()
	return p, nil
}

func (p *channel) Add(fd int, _ Token, _ Interest) error {
	return fmt.Errorf("ioevent: poller chan watching descriptor %d: %w", fd, errors.ErrUnsupported)
}

func (p *channel) Remove(int) error { return nil }

func (p *channel) Arm(at Time) error {
	if at == Never {
		p.timer.Stop()
		return nil
	}
	p.counters.ClockReads++
	p.timer.Reset(time.Duration(at - Now()))
	return nil
}

func (p *channel) Wait(_ []Event, block bool) (int, error) {
	if block {
		select {
		case <-p.woken:
		case <-p.timer.C:
		}
		return 0, nil
	}
	select {
	case <-p.woken:
	case <-p.timer.C:
	default:
	}
	return 0, nil
}

func (p *channel) Wake() error {
	select {
	case p.woken <- struct{}{}:
	default:
	}
	return nil
}

func (p *channel) Close() error {
	p.timer.Stop()
	return nil
}
