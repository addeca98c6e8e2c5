package main

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const (
	firstName = 1_000_000 // seven digits in each, so that all queries have one length
	maxNames  = 1 << 20
)

// names holds names to ask for, made beforehand in one piece: a query costs no allocation and no formatting.
type names struct {
	text  string
	width int // of one
	n     int
}

func newNames(n int) names {
	n = min(n, maxNames)
	var b strings.Builder
	width := 0
	for i := range n {
		fmt.Fprintf(&b, "h%d.example.com", firstName+i)
		if i == 0 {
			width = b.Len()
			b.Grow(n * width)
		}
	}
	return names{b.String(), width, n}
}

// at returns the name i, from the front again behind the last.
func (l *names) at(i int) string {
	from := i % l.n * l.width
	return l.text[from : from+l.width]
}

// work is what there is to ask: some queries that go ahead, those that count, and some that follow, so that as many are outstanding all
// the while. Any goroutine may take from it.
type work struct {
	names       names
	warm, count int // queries; half of warm are enough to have all outstanding
	tail        int
	stop        atomic.Bool // no further query

	taken, ended, lost atomic.Int64
	trips              trips // of those that count

	half, begin, finish func() // called once, by whoever ends half of warm, all of warm, all that count
}

// take returns the name of the next query; false: there is none.
func (w *work) take() (string, bool) {
	i := int(w.taken.Add(1)) - 1
	if i >= w.warm+w.count+w.tail || w.stop.Load() {
		return "", false
	}
	return w.names.at(i), true
}

// end books a query that took so long, or failed.
func (w *work) end(trip time.Duration, err error) {
	n := int(w.ended.Add(1))
	if err != nil {
		w.lost.Add(1)
	} else if n > w.warm && n <= w.warm+w.count {
		w.trips.add(trip)
	}
	switch n {
	case w.warm / 2:
		w.half()
	case w.warm:
		w.begin()
	case w.warm + w.count:
		w.finish()
	}
}

// trips are round-trip times.
type trips struct {
	mu   sync.Mutex
	hist *hdrhistogram.Histogram // nanoseconds, to three digits
}

// longestTrip is more than all tries of a query take.
const longestTrip = time.Minute

func newTrips() *hdrhistogram.Histogram { return hdrhistogram.New(1, int64(longestTrip), 3) }

func (t *trips) add(trip time.Duration) {
	t.mu.Lock()
	_ = t.hist.RecordValue(int64(min(trip, longestTrip))) // the one error is a value out of range
	t.mu.Unlock()
}

// at returns the time that a part of them, in percent, did not take longer than, in microseconds.
func (t *trips) at(percent float64) float64 {
	return float64(t.hist.ValueAtPercentile(percent)) / 1e3
}
