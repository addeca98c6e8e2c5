package main

import (
	"time"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/machine"
	"github.com/dnsq/dnsq/ioevent"
)

// A watch takes the time of something that does not sleep, in time of the processor, so that what others have of it meanwhile is left out.
type watch struct {
	at  ioevent.Time
	cpu time.Duration
}

func startWatch() watch { return watch{ioevent.Now(), cpuTime()} }

func cpuTime() time.Duration {
	user, sys := machine.CPUTimes()
	return user + sys
}

// wall is the time that has passed.
func (w watch) wall() time.Duration { return time.Duration(ioevent.Now() - w.at) }

// read returns the time that has passed and what this process had of it; all, where the system does not tell.
func (w watch) read() (wall, cpu time.Duration) {
	wall, cpu = w.wall(), cpuTime()-w.cpu
	if cpu <= 0 {
		cpu = wall
	}
	return wall, cpu
}

// tellShared says how much others had of the processor, where that is much: they leave their traces in its caches.
func tellShared(l *lab.Lab, wall, cpu float64) {
	if part := cpu / max(wall, 1e-9); part < 0.9 {
		l.Note("others used the processor, too: this program had it %.0f %% of the time; what they had is left out, what they did to its caches is not", 100*part)
	}
}
