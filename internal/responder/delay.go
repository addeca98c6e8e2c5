package responder

import (
	"math/rand/v2"
	"time"
)

// A delayer says how late an answer is.
type delayer struct {
	delay, jitter time.Duration
	exponential   bool
	random        *rand.Rand
}

func newDelayer(f *Faults) delayer {
	return delayer{f.Delay, f.Jitter, f.Exponential, rand.New(rand.NewPCG(f.Seed, streamJitter))}
}

func (d *delayer) next() time.Duration {
	switch {
	case d.jitter == 0:
		return d.delay
	case d.exponential:
		return d.delay + time.Duration(d.random.ExpFloat64()*float64(d.jitter))
	}
	return d.delay + time.Duration(d.random.Int64N(int64(d.jitter)+1))
}
