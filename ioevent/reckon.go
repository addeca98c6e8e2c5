package ioevent

import "time"

const (
	dearRead = 200 * time.Nanosecond // what a read may cost: a twentieth of a turn that moves one datagram
	dearRule = 8                     // turns a read where it costs more
	maxStep  = Time(time.Millisecond)

	unread Time = -1 // no time that a clock says
)

// A reckoner says which turns read the clock, and what time it is in the others. A turn reads it if time may have passed that no turn took, as
// when the loop slept, or after so many turns without. In between a turn is reckoned to take what turns took lately, rather less than more:
// what is reckoned is used as Now and never lets a timer come.
type reckoner struct {
	every int  // turns a read; 1: each turn reads
	turns int  // since the last one
	last  Time // what it said
	step  Time // what a turn is reckoned to take
	gap   bool // time has passed that no turn took
}

// turn begins one and reports whether it has to read the clock.
func (r *reckoner) turn() bool {
	r.turns++
	return r.gap || r.turns >= r.every
}

// read is told what the clock said as this turn began. One turn that took less than reckoned is believed at once, those that took more by and by.
func (r *reckoner) read(now Time) {
	if took := min((now-r.last)/Time(r.turns), maxStep); !r.gap && (r.step == 0 || took < r.step) {
		r.step = took
	} else if !r.gap {
		r.step += (took - r.step) / 8
	}
	r.last, r.turns, r.gap = now, 0, false
}

// reckoned is the time of a turn that does not read.
func (r *reckoner) reckoned() Time { return r.last + Time(r.turns)*r.step }

// ruleFor is how many turns go by from one read to the next, for a clock whose read costs so much.
func ruleFor(cost time.Duration) int {
	if cost > dearRead {
		return dearRule
	}
	return 1
}

// readCost measures what one read of a clock takes: the least of some tries, of which the first suffices where it is cheap. In
// a testing/synctest bubble, whose time stands still meanwhile, that is 0.
func readCost(clock func() Time) time.Duration {
	const reads, tries = 4, 3
	cost := Never
	for range tries {
		began := clock()
		for range reads - 1 {
			clock()
		}
		if cost = min(cost, (clock()-began)/reads); time.Duration(cost) <= dearRead {
			break
		}
	}
	return time.Duration(cost)
}
