package main

import (
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/stat"
	"github.com/dnsq/dnsq/internal/machine"
	"github.com/dnsq/dnsq/ioevent"
)

// newBenchClock measures what a read of the clock costs.
func newBenchClock(*environment) *labBench {
	return &labBench{
		name: "clock", short: "what a read of the clock costs, from user space and by system call", long: benchClockHelp,
		runs: 10, seconds: 10, measure: measureClock,
	}
}

const benchClockHelp = `Answer "Make userspace gettimeofday(2) work for HPET timecounter hardware" (a FreeBSD review): a read of the clock costs 19 ns from user space where
the clock is the processor's own (TSC) and 580 ns where it is a device (HPET); by system call it is 279 and 2,475 ns.

Read are the clock of the loops (ioevent.Now, which is Go's monotonic one) and time.Now, which Go has from the vDSO (vdso(7)) where that serves the
kernel's clock source, and by system call Linux' CLOCK_MONOTONIC and CLOCK_MONOTONIC_COARSE, which is as old as the last tick. Each has --runs loops, in
alternation, with iterations and time (of the processor: what others had of it meanwhile is left out) in the document's form; resolution as the system states it (clock_getres(2)), and the smallest step seen.
Of the document's pair, from user space against by system call, there is ministat's table, and the ranks.`

// A clockSide is one way to read the time.
type clockSide struct {
	name       string
	call       bool // by system call; else as Go does
	resolution time.Duration
	read       func() time.Duration
	repeat     func(reads int) error
}

// clockSides are Go's own and then those of the system, of which the first is the one that Go's reads.
func clockSides() []clockSide {
	var fine time.Duration
	system := machine.Clocks()
	if len(system) > 0 {
		fine = system[0].Resolution
	}
	sides := []clockSide{
		{"ioevent.Now", false, fine, func() time.Duration { return time.Duration(ioevent.Now()) }, repeatLoopClock},
		{"time.Now", false, fine, func() time.Duration { return time.Duration(time.Now().UnixNano()) }, repeatTimeNow},
	}
	for _, c := range system {
		sides = append(sides, clockSide{c.Name, true, c.Resolution, c.Read, c.Repeat})
	}
	return sides
}

func repeatLoopClock(reads int) error {
	var now ioevent.Time
	for range reads {
		now = ioevent.Now()
	}
	runtime.KeepAlive(now)
	return nil
}

func repeatTimeNow(reads int) error {
	var now time.Time
	for range reads {
		now = time.Now()
	}
	runtime.KeepAlive(now)
	return nil
}

// measureClock has the sides run their loops in alternation.
func measureClock(l *lab.Lab) (lab.Result, error) {
	sides := clockSides()
	r := &clockResult{Source: clockSource(), Available: availableClockSources()}
	for _, s := range sides {
		r.Clocks = append(r.Clocks, s.start())
	}
	each := l.Share(len(sides) * l.Runs)
	err := l.Alternate(len(sides), l.Runs, func(i int) error {
		loop, err := sides[i].loop(each)
		r.Clocks[i].Loops = append(r.Clocks[i].Loops, loop)
		return err
	})
	if err != nil {
		return nil, err
	}
	var wall, cpu float64
	for _, c := range r.Clocks {
		for _, loop := range c.Loops {
			wall, cpu = wall+loop.Wall, cpu+loop.Seconds
		}
	}
	tellShared(l, wall, cpu)
	r.tell(l)
	return r, r.compare()
}

// start is a side's line, without loops.
func (s clockSide) start() clockReads {
	c := clockReads{Name: s.name, By: "system call", Resolution: s.resolution.Nanoseconds(), Step: s.step().Nanoseconds()}
	if !s.call {
		c.By = "Go"
	}
	return c
}

// step is the smallest difference between two reads that differ, seen in some milliseconds; 0: there was none.
func (s clockSide) step() time.Duration {
	const enough = 10_000
	least := time.Duration(math.MaxInt64)
	last, end, seen := s.read(), time.Now().Add(25*time.Millisecond), 0
	for seen < enough && time.Now().Before(end) {
		for range 100 {
			if now := s.read(); now > last {
				least, last = min(least, now-last), now
				seen++
			}
		}
	}
	if seen == 0 {
		return 0
	}
	return least
}

// batchReads is how many reads a loop makes before it looks whether its time is over.
const batchReads = 256

// loop reads for about d.
func (s clockSide) loop(d time.Duration) (l clockLoop, err error) {
	w := startWatch()
	for l.Iterations == 0 || w.wall() < d {
		if err := s.repeat(batchReads); err != nil {
			return l, fmt.Errorf("reading %s: %w", s.name, err)
		}
		l.Iterations += batchReads
	}
	wall, cpu := w.read()
	l.Seconds, l.Wall, l.Each = cpu.Seconds(), wall.Seconds(), float64(cpu)/float64(l.Iterations)
	return l, nil
}

// compare compares the document's pair, where there are two loops of each.
func (r *clockResult) compare() error {
	user, call, ok := r.pair()
	if !ok || len(user.Loops) < 2 {
		return nil
	}
	c, err := stat.Compare(call.sample(), user.sample(), stat.DefaultLevel)
	r.Compared = &c
	return err
}

// tell notes what cannot be shown here.
func (r *clockResult) tell(l *lab.Lab) {
	if _, _, ok := r.pair(); !ok {
		l.Note("this system's clock is read by package time alone: no system call to compare with, and no stated resolution")
		return
	}
	l.Note("the clock source is %s: what another one costs, the document's HPET among them, needs a machine or a boot with that one", r.Source)
	l.Note("without C, a Go program has no way to the vDSO's coarse clock: it is read by system call here")
}

func availableClockSources() string {
	return firstLine("/sys/devices/system/clocksource/clocksource0/available_clocksource")
}
