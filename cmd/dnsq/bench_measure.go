package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// measurement is a warm-up and the run that counts.
type measurement struct {
	names     names
	warm, run work
	profile   string
	idle      uint64    // live octets before there was a client
	live      uint64    // with every query in flight
	used      resources // by the run
}

// newMeasurement makes all that the bench needs for itself, so that what comes is the client's.
func newMeasurement(b *benchEngine) *measurement {
	m := &measurement{profile: b.profile}
	m.warm.n = max(2*b.outstanding, min(1000, b.queries))
	m.run.n, m.run.from = b.queries, m.warm.n
	m.names = newNames(m.warm.n + m.run.n)
	for _, w := range []*work{&m.warm, &m.run} {
		w.names = &m.names
		w.trips.hist = newTrips()
	}
	m.warm.half = func() { m.live = liveHeap() }
	m.idle = liveHeap()
	return m
}

// measure has c make all queries. No query is begun once stop is set.
func (m *measurement) measure(c client, stop *atomic.Bool) error {
	m.warm.stop, m.run.stop = stop, stop
	if err := c.run(&m.warm); err != nil {
		return err
	}
	if err := m.warm.replied(); err != nil {
		return err
	}
	err := profiled(m.profile, func() error {
		before := resourcesOf(c)
		err := c.run(&m.run)
		m.used = resourcesOf(c).since(before)
		return err
	})
	if err != nil {
		return err
	}
	return m.run.replied()
}

// replied is an error where there is nothing to tell about w.
func (w *work) replied() error {
	switch n := w.ended.Load(); n {
	case 0:
		return usagef("--time: it was over before the first query that counts")
	case w.lost.Load():
		return fmt.Errorf("%w to any of %d queries", errNoReply, n)
	}
	return nil
}

// liveHeap is the number of octets in use.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC() // what had a finalizer
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// resources are what a process and a client have used so far.
type resources struct {
	at        ioevent.Time
	user, sys time.Duration
	mallocs   uint64
	stats     resolver.Stats
}

func resourcesOf(c client) (u resources) {
	u.stats = c.stats()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u.mallocs = m.Mallocs
	u.user, u.sys = cpuTimes()
	u.at = ioevent.Now()
	return u
}

// since returns the difference, of the counters that are printed.
func (u resources) since(o resources) resources {
	u.at -= o.at
	u.user -= o.user
	u.sys -= o.sys
	u.mallocs -= o.mallocs
	u.stats.Sent -= o.stats.Sent
	u.stats.Loop.Syscalls -= o.stats.Loop.Syscalls
	u.stats.Loop.Wakes -= o.stats.Loop.Wakes
	u.stats.Loop.ClockReads -= o.stats.Loop.ClockReads
	u.stats.Loop.TimedWaits -= o.stats.Loop.TimedWaits
	u.stats.Socket.Syscalls -= o.stats.Socket.Syscalls
	u.stats.Socket.EmptyReceives -= o.stats.Socket.EmptyReceives
	return u
}
