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

// work is a number of queries to be made, and what became of them. Any goroutine may take from it.
type work struct {
	names *names
	from  int // the first name
	n     int
	stop  *atomic.Bool // no further query

	taken, ended, lost atomic.Int64
	trips              trips
	half               func() // called once, by whoever ends half of the queries
}

// take returns the name of the next query; false: there is none.
func (w *work) take() (string, bool) {
	i := int(w.taken.Add(1)) - 1
	if i >= w.n || w.stop.Load() {
		return "", false
	}
	return w.names.at(w.from + i), true
}

// end books a query that took so long, or failed.
func (w *work) end(trip time.Duration, err error) {
	if err != nil {
		w.lost.Add(1)
	} else {
		w.trips.add(trip)
	}
	if n := w.ended.Add(1); w.half != nil && n == int64(w.n/2) {
		w.half()
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
