package ioevent

import (
	"fmt"
	"net"
	"time"
)

// Config says how a Loop is made. The zero value of each field means its default.
type Config struct {
	// Mechanism is the poller's kind; the best that works here, as by Named("").
	Mechanism Mechanism
	// Budget is the time the handlers of one turn may take; 2 ms. They are not interrupted: no further one is called. Negative: as long as
	// they like, for a measurement of what the budget is good for.
	Budget time.Duration
	// Datagrams is the most datagrams the handlers of one turn may move. 0: as many as fit into Budget by what they cost in
	// the last turns, but at least 256; any number where Budget is negative.
	Datagrams int
	// Clock gives the time; Now. Its zero must lie in the past, and it must not go backwards.
	Clock func() Time
	// ClockEvery is how many turns, if none of them sleeps, share one read of the clock; their Now is reckoned in between, and timers may come
	// so many turns late. 0: 1 where a read costs at most 200 ns, which NewLoop measures, else 8. A Clock that is given is not measured: 1.
	ClockEvery int
}

// A Loop calls handlers when their descriptors are ready and timers when they are due, one after the other, in turns. Either Run turns it, or
// another loop does by Poll and Expire. Everything but Wake and Notify is called on the one goroutine that turns it, the loop's goroutine,
// and may be called from within handlers, timers and the tick, turning itself apart.
type Loop struct {
	mechanism Mechanism
	poller    Poller
	clock     func() Time
	reckoner  reckoner
	latest    Time // what the clock said when it was read last
	counters  Counters
	registry  registry
	ready     list
	wheel     wheel
	budget    budget
	waker     waker
	events    [256]Event
	now       Time
	armed     Time // what the poller's timer is set to
	quit      bool
	closed    bool
}

// NewLoop opens a poller and returns a Loop on it, which the caller must Close.
func NewLoop(c Config) (*Loop, error) {
	if c.Mechanism.Open == nil {
		m, err := Named("")
		if err != nil {
			return nil, err
		}
		c.Mechanism = m
	}
	if c.ClockEvery == 0 && c.Clock == nil {
		c.ClockEvery = ruleFor(readCost(Now))
	}
	if c.Clock == nil {
		c.Clock = Now
	}
	l := &Loop{mechanism: c.Mechanism, clock: c.Clock, armed: Never}
	l.reckoner = reckoner{every: max(c.ClockEvery, 1), gap: true}
	l.budget.init(c.Budget, c.Datagrams)
	p, err := c.Mechanism.Open(&l.counters)
	if err != nil {
		return nil, fmt.Errorf("ioevent: opening poller %s: %w", c.Mechanism.Name, err)
	}
	l.poller, l.waker.poller = p, p
	l.setNow(l.readClock())
	return l, nil
}

// Register gives h a token. It watches nothing yet.
func (l *Loop) Register(h Handler) Token { return l.registry.add(h).token }

// Watch has the handler of tok called when fd is ready for what in says, or changes what it is watched for. A token has one
// descriptor and a descriptor one token. With fd already ready the handler is called in the next turn, on an edge-triggered loop too. The error
// is that of the system; it matches errors.ErrUnsupported where the mechanism watches no descriptors and net.ErrClosed after Close.
func (l *Loop) Watch(tok Token, fd int, in Interest) error {
	r := l.registry.find(tok)
	if l.closed || r == nil {
		return fmt.Errorf("ioevent: watching with token %#x: %w", tok, net.ErrClosed)
	}
	if r.fd != fd {
		if err := l.unwatch(r); err != nil {
			return err
		}
	}
	if err := l.poller.Add(fd, tok, in); err != nil {
		return err
	}
	r.fd = fd
	return nil
}

// Unregister ends a registration: its handler is not called again, whatever is on its way, and its descriptor is no longer watched. It is
// called before the descriptor is closed. With a token that is not registered it does nothing. The error is that of the system; the
// registration has ended all the same.
func (l *Loop) Unregister(tok Token) error {
	r := l.registry.find(tok)
	if r == nil {
		return nil
	}
	if r.queued {
		l.ready.remove(r)
		r.queued = false
	}
	err := l.unwatch(r)
	l.registry.drop(r)
	return err
}

func (l *Loop) unwatch(r *registration) error {
	fd := r.fd
	r.fd = -1
	if fd < 0 || l.closed {
		return nil
	}
	return l.poller.Remove(fd)
}

// Start starts t, anew if it runs, for the time at. One not after Now is due at once. O(1).
func (l *Loop) Start(t *Timer, at Time) { l.wheel.start(t, at) }

// Stop stops t and reports whether it was running. O(1).
func (l *Loop) Stop(t *Timer) bool { return l.wheel.stop(t) }

// Next is when the next timer may be due, Never where none runs. Where one was stopped it may be too early, once.
func (l *Loop) Next() Time { return l.wheel.next() }

// Now is the time of this turn, read or reckoned: see Config.ClockEvery. It does not read the clock.
func (l *Loop) Now() Time { return l.now }

// Refresh reads the clock for the rest of the turn and returns what is Now then. It is for a tick or a handler that has let others' code run, for as long as
// that liked.
func (l *Loop) Refresh() Time {
	l.setNow(l.readClock())
	return l.now
}

// Counters returns the counters, which go on counting.
func (l *Loop) Counters() *Counters { return &l.counters }

// Name is the name of the loop's mechanism.
func (l *Loop) Name() string { return l.mechanism.Name }

// Edge reports whether the loop is edge-triggered: see Mechanism.
func (l *Loop) Edge() bool { return l.mechanism.Edge }

// ClockEvery is how many turns that do not sleep share one read of the clock: see Config.ClockEvery.
func (l *Loop) ClockEvery() int { return l.reckoner.every }

// FD is a descriptor that is readable when Poll has something to do, for another loop to watch, or -1 where the mechanism has none. It does
// not tell of timers: Expire does.
func (l *Loop) FD() int {
	if d, ok := l.poller.(Descriptor); ok {
		return d.FD()
	}
	return -1
}

// Close frees the poller's descriptors. Called from within Run it makes that return after this turn. Handlers are not told.
func (l *Loop) Close() error {
	if l.closed {
		return net.ErrClosed
	}
	l.closed = true
	return l.waker.close()
}

func (l *Loop) readClock() Time {
	l.counters.ClockReads++
	l.latest = l.clock()
	return l.latest
}

func (l *Loop) setNow(now Time) { l.now = max(l.now, now) }
