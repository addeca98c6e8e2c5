package responder

import "math/rand/v2"

// Each fault draws from numbers of its own, so that one does not change the other's.
const (
	streamLoss = iota
	streamJitter
)

// A loser says which queries are lost.
type loser struct {
	share  float64
	random *rand.Rand
}

func newLoser(f *Faults) loser { return loser{f.Loss, rand.New(rand.NewPCG(f.Seed, streamLoss))} }

func (l *loser) next() bool { return l.share > 0 && l.random.Float64() < l.share }
