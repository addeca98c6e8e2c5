package ioevent

import "math/bits"

// Counters count what a Loop and its Poller did. The loop's goroutine owns them.
type Counters struct {
	Turns      uint64 // passes of the loop
	Waits      uint64 // calls of the poller's wait, blocking or not
	TimedWaits uint64 // waits with a timeout: none, unless a poller cannot do otherwise
	Wakes      uint64 // waits that slept and came back with an event
	Syscalls   uint64 // system calls of the poller, wake-ups from other goroutines apart
	ClockReads uint64
	Datagrams  uint64    // as reported by handlers
	PerWake    Histogram // datagrams a wake
}

// Histogram counts values by powers of two: bucket 0 holds 0, bucket i holds 2^(i-1) to 2^i-1, the last holds the rest.
type Histogram [16]uint64

// Add counts one value.
func (h *Histogram) Add(n int) {
	h[min(bits.Len(uint(n)), len(h)-1)]++
}
