package ioevent

import "math/bits"

const (
	digitBits = 6
	slots     = 1 << digitBits                   // of one level
	levels    = (63 + digitBits - 1) / digitBits // digits of a Time
)

// A slotNumber says in which list of the wheel a timer is.
type slotNumber uint16

const (
	noSlot    slotNumber = 0
	firstSlot slotNumber = 1
	dueSlot   slotNumber = firstSlot + levels*slots // and the one behind it
)

// A wheel holds timers and moves with the time. A timer is at the level of the highest base-64 digit in which its time differs from
// the wheel's, in the slot of that digit's value. So every timer of a level comes before those of the levels above, and those of a
// slot before the slots behind. Start and stop are O(1), and a timer is moved down at most once a level; that the lowest level's slots are
// a nanosecond wide makes it exact. See Varghese and Lauck, "Hashed and hierarchical timing wheels", scheme 7.
type wheel struct {
	now   Time
	used  [levels]uint64 // bit i: slot i is not empty
	slots [levels][slots]slot
	due   [2]timers
	turn  int // which of the two takes what becomes due; an expire empties the other
}

// A slot's min is not later than its earliest timer. It is that timer's time, unless that timer was stopped.
type slot struct {
	timers timers
	min    Time
}

func (w *wheel) start(t *Timer, at Time) {
	w.stop(t)
	t.at = at
	w.place(t)
}

// place lists t, which is in no list, by its time and the wheel's.
func (w *wheel) place(t *Timer) {
	if t.at <= w.now {
		t.slot = dueSlot + slotNumber(w.turn)
		w.due[w.turn].push(t)
		return
	}
	level := digit(t.at, w.now)
	i := valueOf(t.at, level)
	s := &w.slots[level][i]
	if s.timers.first == nil {
		s.min = t.at
	}
	s.min = min(s.min, t.at)
	s.timers.push(t)
	w.used[level] |= 1 << i
	t.slot = firstSlot + slotNumber(level*slots+i)
}

func (w *wheel) stop(t *Timer) bool {
	switch {
	case t.slot == noSlot:
		return false
	case t.slot >= dueSlot:
		w.due[t.slot-dueSlot].remove(t)
	default:
		level, i := int(t.slot-firstSlot)/slots, int(t.slot-firstSlot)%slots
		s := &w.slots[level][i]
		s.timers.remove(t)
		if s.timers.first == nil {
			w.used[level] &^= 1 << i
		}
	}
	t.slot = noSlot
	return true
}

// advance moves the wheel to now and lists what has become due.
func (w *wheel) advance(now Time) {
	if now <= w.now {
		return
	}
	top := digit(now, w.now)
	w.now = now
	for level := range top {
		w.replace(level, ^uint64(0)) // these have come: they agreed with the old time in the digit where now is greater
	}
	w.replace(top, 2<<valueOf(now, top)-1)
}

// replace places the timers of some slots of a level anew.
func (w *wheel) replace(level int, which uint64) {
	for set := w.used[level] & which; set != 0; set &= set - 1 {
		timers := &w.slots[level][bits.TrailingZeros64(set)].timers
		for t := timers.first; t != nil; t = timers.first {
			timers.remove(t)
			w.place(t)
		}
	}
	w.used[level] &^= which
}

// expire fires the timers due at now. One that is started meanwhile for a time not after now is left for the next call, so that a timer
// that always starts itself anew does not hold up the loop.
func (w *wheel) expire(now Time) {
	w.advance(now)
	w.fire(&w.due[w.turn^1]) // what a panic left
	w.turn ^= 1
	w.fire(&w.due[w.turn^1])
}

func (w *wheel) fire(due *timers) {
	for t := due.first; t != nil; t = due.first {
		w.stop(t)
		t.owner.Expire(w.now)
	}
}

// next is the time of the earliest timer, or, once, that of one stopped meanwhile; Never where none runs.
func (w *wheel) next() Time {
	if w.due[0].first != nil || w.due[1].first != nil {
		return w.now
	}
	for level, used := range w.used {
		if used != 0 {
			return w.slots[level][bits.TrailingZeros64(used)].min
		}
	}
	return Never
}

// digit is the number of the highest base-64 digit in which two times differ.
func digit(a, b Time) int { return (bits.Len64(uint64(a^b)) - 1) / digitBits }

// valueOf is the value of a digit of t.
func valueOf(t Time, digit int) int { return int(t>>(digit*digitBits)) & (slots - 1) }
