package queries

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// mix is a bijection of 64 bits that leaves no pattern: the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// derive makes seed k of a seed. A set that stands over others gives them other ones than its own.
func derive(seed, k uint64) uint64 { return mix(seed + (k+1)*0x9E3779B97F4A7C15) }

// stream is a sequence of random numbers that only this part has.
type stream struct{ pcg *rand.PCG }

func newStream(seed uint64, part int) stream {
	return stream{rand.NewPCG(seed, derive(seed, uint64(part)))}
}

// under seed k: for sets that stand over others.
const inner = 1 << 32

// below returns a number below n, which is at least 1.
func (s stream) below(n uint64) uint64 {
	hi, _ := bits.Mul64(s.pcg.Uint64(), n)
	return hi
}

// chance is a probability to compare random numbers with.
type chance uint64

func newChance(p float64) chance {
	if p >= 1 {
		return math.MaxUint64
	}
	return chance(p * (1 << 64))
}

func (s stream) happens(c chance) bool { return s.pcg.Uint64() < uint64(c) || c == math.MaxUint64 }
