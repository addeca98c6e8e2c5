package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"sync/atomic"
	"time"

	"github.com/dnsq/dnsq/internal/machine"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// measurement is what a client does with some work.
type measurement struct {
	work          work
	client        client
	profile       *os.File  // or nil
	idle, live    uint64    // octets of heap without a client, and with every query in flight
	before, after resources // around the queries that count
	cut           bool      // before all of them had ended
}

// newMeasurement makes all that the bench needs for itself, so that what comes is the client's.
func newMeasurement(b *benchEngine) *measurement {
	m := &measurement{}
	w := &m.work
	w.warm, w.count, w.tail = max(2*b.outstanding, min(1000, b.queries)), b.queries, b.outstanding
	w.single = b.api == "engine"
	w.names = newNames(w.warm + w.count + w.tail)
	w.trips.hist = newTrips()
	w.half, w.begin, w.finish = m.half, m.begin, m.finish
	m.idle = liveHeap()
	return m
}

// run has c do all of the work. No query is begun after limit.
func (m *measurement) run(c client, limit time.Duration) error {
	m.client = c
	timer := time.AfterFunc(limit, func() { m.work.stop.Store(true) })
	defer timer.Stop()
	if err := c.run(&m.work); err != nil {
		return err
	}
	if m.before.at == 0 {
		return m.tooEarly()
	}
	if m.after.at == 0 {
		m.cut = true
		m.finish()
	}
	if n := m.used().lost; n > 0 && n == m.used().ended {
		return fmt.Errorf("%w to any of %d queries", errNoReply, n)
	}
	return nil
}

// tooEarly says why it ended before there was something to measure.
func (m *measurement) tooEarly() error {
	if n := atomic.LoadInt64(&m.work.lost); n > 0 && n == atomic.LoadInt64(&m.work.ended) {
		return fmt.Errorf("%w to any of %d queries", errNoReply, n)
	}
	return usagef("--time: it was over before the first query that counts")
}

func (m *measurement) half() { m.live = liveHeap() }

func (m *measurement) begin() {
	if int(atomic.LoadInt64(&m.work.lost)) == m.work.warm {
		m.work.stop.Store(true) // nobody there
		return
	}
	if m.profile != nil {
		_ = pprof.StartCPUProfile(m.profile) // fails where one is running: there is none
	}
	m.before = m.resources()
}

func (m *measurement) finish() {
	m.after = m.resources()
	if m.profile != nil {
		pprof.StopCPUProfile()
	}
}

// liveHeap is the number of octets in use.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC() // what had a finalizer
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// resources are what the process has used so far, and for what.
type resources struct {
	at          ioevent.Time
	user, sys   time.Duration
	mallocs     uint64
	stats       resolver.Stats
	ended, lost int64 // queries; with several goroutines they go on meanwhile
}

func (m *measurement) resources() (r resources) {
	r.ended, r.lost = atomic.LoadInt64(&m.work.ended), atomic.LoadInt64(&m.work.lost)
	r.stats = m.client.stats()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	r.mallocs = mem.Mallocs
	r.user, r.sys = machine.CPUTimes()
	r.at = ioevent.Now()
	return r
}

// used is the difference, of the counters that are printed.
func (m *measurement) used() resources {
	u, o := m.after, &m.before
	u.at -= o.at
	u.user -= o.user
	u.sys -= o.sys
	u.mallocs -= o.mallocs
	u.ended -= o.ended
	u.lost -= o.lost
	u.stats.Timeouts -= o.stats.Timeouts
	u.stats.Loop.Syscalls -= o.stats.Loop.Syscalls
	u.stats.Loop.Wakes -= o.stats.Loop.Wakes
	u.stats.Loop.ClockReads -= o.stats.Loop.ClockReads
	u.stats.Loop.TimedWaits -= o.stats.Loop.TimedWaits
	u.stats.Socket.Syscalls -= o.stats.Socket.Syscalls
	u.stats.Socket.EmptyReceives -= o.stats.Socket.EmptyReceives
	return u
}
