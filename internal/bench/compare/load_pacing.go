package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Both in milliseconds, the bins of the responder's line.
const (
	slot   = 100
	second = 1000
)

// addPacing adds what the arrivals say of the pacing, from the responder's line of counts by the millisecond. The last slot of the run is left
// out: the first arrival, with which the bins begin, may be late.
func addPacing(r result, said string, rate, seconds float64) error {
	bins, err := readBins(said)
	if err != nil {
		return err
	}
	slots := int(math.Round(seconds*second))/slot - 1
	if slots < 1 {
		return fmt.Errorf("a run of %v s is too short to tell the pacing", seconds)
	}
	for _, n := range bins {
		r["arrived"] += float64(n)
	}
	r["slot_off"], r["empty"] = pacing(bins, slots, rate*slot/second)
	return nil
}

// readBins reads numbers with blanks between them.
func readBins(line string) (bins []int, err error) {
	for word := range strings.FieldsSeq(line) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("the responder's counts: %w", err)
		}
		bins = append(bins, n)
	}
	if len(bins) == 0 {
		return nil, fmt.Errorf("the responder counted no arrivals")
	}
	return bins, nil
}

// pacing is by how many percent the worst of so many slots is off what each should have, and the percentage of bins in them without an arrival.
func pacing(bins []int, slots int, want float64) (off, empty float64) {
	for i := range slots {
		n := 0
		for j := i * slot; j < (i+1)*slot; j++ {
			if j >= len(bins) || bins[j] == 0 {
				empty++
				continue
			}
			n += bins[j]
		}
		off = max(off, math.Abs(float64(n)-want)/want*100)
	}
	return off, empty / float64(slots*slot) * 100
}
