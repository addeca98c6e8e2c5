package ioevent

import (
	"math"
	"time"
)

const (
	defaultBudget = 2 * time.Millisecond
	clockEvery    = 256 // datagrams from one look at the clock to the next
)

// A budget says when a turn has called enough handlers.
type budget struct {
	time      Time
	datagrams int  // 0: follows from cost
	cost      Time // of a datagram, moving average

	// This turn's:
	began   Time
	limit   int  // of datagrams
	spent   int  // datagrams
	checked int  // spent when the clock was last read
	since   Time // and what it said
}

func (b *budget) init(t time.Duration, datagrams int) {
	switch {
	case t == 0:
		t = defaultBudget
	case t < 0:
		t = time.Duration(Never)
	}
	b.time, b.datagrams = Time(t), datagrams
}

// timed reports whether there is a limit of time.
func (b *budget) timed() bool { return b.time != Never }

// begin starts a turn at now.
func (b *budget) begin(now Time) {
	b.began, b.since = now, now
	b.spent, b.checked = 0, 0
	b.limit = b.datagrams
	if b.limit <= 0 && b.cost > 0 {
		b.limit = int(min(b.time/b.cost, 1<<20))
	}
	if b.datagrams <= 0 {
		b.limit = max(b.limit, clockEvery)
	}
	if b.datagrams <= 0 && !b.timed() {
		b.limit = math.MaxInt
	}
}

// check is told the time, ends the turn if that is over and learns what a datagram costs.
func (b *budget) check(now Time) {
	cost := max(0, now-b.since) / Time(b.spent-b.checked) // a turn that began by reckoning may have begun too late
	if b.cost == 0 {
		b.cost = cost
	}
	b.cost += (cost - b.cost) / 8
	b.checked, b.since = b.spent, now
	if now-b.began >= b.time {
		b.limit = 0
	}
}

func (b *budget) over() bool { return b.spent >= b.limit }

// leastShare is what a handler may move in any case: fewer a call, and the calls cost more than the datagrams.
const leastShare = 64

// share is what a handler may move where so many are ready, itself included.
func (b *budget) share(ready int) int { return max(leastShare, (b.limit-b.spent)/ready) }
