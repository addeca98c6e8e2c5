package responder

import "sync/atomic"

// A kind is what became of a query.
type kind int

const (
	received kind = iota
	answered
	lost    // by Faults.Loss
	limited // by Faults.Limit
	unsent  // the answer: the socket was full, the client gone, or the server closed
	ignored // no query: too short, or a response
	kinds
)

// A tally counts queries by kind.
type tally [kinds]uint64

// counters are a tally that others may read. Received is added first and read last, so that it is never less than the others together.
type counters [kinds]atomic.Uint64

// move adds t and clears it.
func (c *counters) move(t *tally) {
	for k := range t {
		if t[k] != 0 {
			c[k].Add(t[k])
			t[k] = 0
		}
	}
}

// addTo adds what c counts to t.
func (c *counters) addTo(t *tally) {
	for k := int(kinds) - 1; k >= 0; k-- {
		t[k] += c[k].Load()
	}
}
