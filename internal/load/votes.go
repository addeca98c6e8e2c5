package load

import (
	"slices"

	"github.com/dnsq/dnsq/internal/load/result"
)

// votes are what the trials of a search said, by rate.
type votes struct{ list []vote } // in the order of the rates

type vote struct {
	rate         float64
	passed, fail int
}

func (v *vote) trials() int  { return v.passed + v.fail }
func (v *vote) passes() bool { return v.passed > v.fail }

func (v *votes) add(rate float64, passed bool) {
	i, found := slices.BinarySearchFunc(v.list, rate, func(x vote, rate float64) int {
		switch {
		case x.rate < rate:
			return -1
		case x.rate > rate:
			return 1
		}
		return 0
	})
	if !found {
		v.list = slices.Insert(v.list, i, vote{rate: rate})
	}
	if passed {
		v.list[i].passed++
	} else {
		v.list[i].fail++
	}
}

// interval is the lowest rate that fails, and the highest below it, which so passes. A zero rate stands for none.
func (v *votes) interval() (low, high vote) {
	for _, x := range v.list {
		if !x.passes() {
			return low, x
		}
		low = x
	}
	return low, vote{}
}

// clientLimit reports whether this machine, and no server, made r what it is.
func clientLimit(r *result.Result) bool {
	if r.Verdict != result.Invalid {
		return false
	}
	return slices.ContainsFunc(r.Reasons, func(x result.Reason) bool {
		switch x.Code {
		case result.CodeClientDrop, result.CodeBehind, result.CodeClientBound, result.CodeSendError:
			return true
		}
		return false
	})
}
