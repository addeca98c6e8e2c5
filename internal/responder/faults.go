package responder

import (
	"errors"
	"fmt"
	"time"
)

// Faults are what a Server does wrong on purpose. The zero value is none. Each query meets them in this order: it is lost, it is beyond the
// capacity, its answer has the response code or is truncated, it is late.
type Faults struct {
	Loss        float64       // share of the queries that get no answer, 0 to 1
	Limit       float64       // capacity, in queries a second; 0: none
	LimitQueue  time.Duration // work that may wait at that capacity; 0: DefaultLimitQueue
	Rcode       int           // of every answer to a good query, 1 to 15, without records; 0: what the zone says
	Truncate    bool          // TC and no records in every answer over UDP
	Delay       time.Duration // of each answer
	Jitter      time.Duration // more delay: uniform from 0 to this, or with this mean where it is exponential
	Exponential bool
	Stall       Stall
	CloseAfter  int    // answers on a TCP connection, which is closed then; 0: any number
	Seed        uint64 // of loss and jitter: with the same one the same queries are lost
}

// MaxLimit is the most of Faults.Limit.
const MaxLimit = 1e9

// DefaultLimitQueue is how much work waits at a Server of limited capacity.
const DefaultLimitQueue = 10 * time.Millisecond

func (f *Faults) check() error {
	if f.LimitQueue == 0 {
		f.LimitQueue = DefaultLimitQueue
	}
	switch {
	case !(f.Loss >= 0 && f.Loss <= 1):
		return fmt.Errorf("loss of %v: a share from 0 to 1 is possible", f.Loss)
	case !(f.Limit >= 0 && f.Limit <= MaxLimit):
		return fmt.Errorf("limit of %v queries a second: 0 to 1e9 are possible", f.Limit)
	case f.Rcode < 0 || f.Rcode > 15:
		return fmt.Errorf("response code %d: 1 to 15 are possible, greater ones need EDNS", f.Rcode)
	case f.LimitQueue < 0 || f.Delay < 0 || f.Jitter < 0 || f.CloseAfter < 0:
		return errors.New("a limit's queue, a delay, a jitter or a number of answers is negative")
	}
	return f.Stall.check()
}

// late says that answers may have to wait.
func (f *Faults) late() bool { return f.Delay > 0 || f.Jitter > 0 || f.Limit > 0 }

// chosen says that queries do not all fare alike, or that time matters.
func (f *Faults) chosen() bool { return f.late() || f.Loss > 0 || f.Stall.Length > 0 }
