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
	if i >= l.n { // division costs
		i %= l.n
	}
	return l.text[i*l.width : (i+1)*l.width]
}

// work is what there is to ask: some queries that go ahead, those that count, and some that follow, so that as many are outstanding all
// the while. Any goroutine may take from it, unless single is set: what the bench does for a query must not show beside what the library does.
type work struct {
	names       names
	warm, count int // queries; half of warm are enough to have all outstanding
	tail        int
	stop        atomic.Bool // no further query
	single      bool        // one goroutine does it all

	taken, ended, lost int64 // atomic, unless single
	mu                 sync.Mutex
	trips              trips // of those that count, under mu unless single

	half, begin, finish func() // called once, by whoever ends half of warm, all of warm, all that count
}

// add counts one more and returns how many there are now.
func (w *work) add(n *int64) int {
	if w.single {
		*n++
		return int(*n)
	}
	return int(atomic.AddInt64(n, 1))
}

// take returns the name of the next query; false: there is none.
func (w *work) take() (string, bool) {
	i := w.add(&w.taken) - 1
	if i >= w.warm+w.count+w.tail || w.stop.Load() {
		return "", false
	}
	return w.names.at(i), true
}

// end books a query that took so long, or failed.
func (w *work) end(trip time.Duration, err error) {
	n := w.add(&w.ended)
	if err != nil {
		w.add(&w.lost)
	} else if n > w.warm && n <= w.warm+w.count {
		w.book(trip)
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

func (w *work) book(trip time.Duration) {
	if w.single {
		w.trips.add(trip)
		return
	}
	w.mu.Lock()
	w.trips.add(trip)
	w.mu.Unlock()
}

// trips are round-trip times. Those of one batch are equal, so that runs of equal ones are entered together.
type trips struct {
	hist *hdrhistogram.Histogram // nanoseconds, to three digits
	last time.Duration
	run  int64 // of last, to be entered
}

// longestTrip is more than all tries of a query take.
const longestTrip = time.Minute

func newTrips() *hdrhistogram.Histogram { return hdrhistogram.New(1, int64(longestTrip), 3) }

func (t *trips) add(trip time.Duration) {
	if trip != t.last {
		t.enter()
		t.last = trip
	}
	t.run++
}

func (t *trips) enter() {
	_ = t.hist.RecordValues(int64(min(t.last, longestTrip)), t.run) // the one error is a value out of range
	t.run = 0
}

// at returns the time that a part of them, in percent, did not take longer than, in microseconds.
func (t *trips) at(percent float64) float64 {
	t.enter()
	return float64(t.hist.ValueAtPercentile(percent)) / 1e3
}
