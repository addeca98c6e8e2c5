package result

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The range of what is recorded, in nanoseconds. Three digits are kept.
const (
	leastRecorded = int64(time.Microsecond)
	mostRecorded  = int64(120 * time.Second)
	digits        = 3
)

// NewHistogram returns an empty histogram of nanoseconds.
func NewHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(leastRecorded, mostRecorded, digits)
}

// Record counts n values of length d, which is taken as the least or the most that a histogram holds where it is outside.
func Record(h *hdrhistogram.Histogram, d time.Duration, n int64) {
	_ = h.RecordValues(min(max(int64(d), 0), mostRecorded), n) // within the range there is no error
}

// LatencyOf describes h.
func LatencyOf(h *hdrhistogram.Histogram) Latency {
	if h == nil || h.TotalCount() == 0 {
		return Latency{}
	}
	at := func(percent float64) float64 { return micros(h.ValueAtPercentile(percent)) }
	return Latency{
		Count: uint64(h.TotalCount()), Min: micros(h.Min()), Mean: h.Mean() / 1e3, Stddev: h.StdDev() / 1e3,
		P50: at(50), P75: at(75), P90: at(90), P95: at(95), P99: at(99), P999: at(99.9), P9999: at(99.99), Max: micros(h.Max()),
	}
}

func micros(ns int64) float64 { return float64(ns) / 1e3 }

// HeatBuckets is the number of Second.Heat's buckets: from 1 µs up, ten to a power of ten.
const HeatBuckets = 80

// HeatBound is the least response time of bucket i; the first has all that is less, the last all that is more.
func HeatBound(i int) time.Duration {
	return time.Duration(math.Ceil(1e3 * math.Pow(10, float64(i)/10)))
}

// heatOf sorts what h counted into buckets.
func heatOf(h *hdrhistogram.Histogram) []uint64 {
	heat := make([]uint64, HeatBuckets)
	for _, bar := range h.Distribution() {
		if bar.Count > 0 {
			heat[heatBucket(bar.From)] += uint64(bar.Count)
		}
	}
	return heat
}

func heatBucket(ns int64) int {
	if ns < int64(time.Microsecond) {
		return 0
	}
	i := min(int(10*math.Log10(float64(ns)/1e3)+1e-9), HeatBuckets-1)
	if ns < int64(HeatBound(i)) { // the logarithm is not exact
		i--
	}
	return i
}
