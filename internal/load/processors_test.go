package load

import (
	"runtime"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

// TestRoomForOthers has a run on one processor: Go may run a thread beside its shards, until it is over.
func TestRoomForOthers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, threads := range []int{1, 3} {
		least := 99
		p := &Plan{Rate: At(10), Duration: 2 * time.Second, Threads: threads, OnTick: func(*result.Tick) { least = min(least, runtime.GOMAXPROCS(0)) }}
		on(t, p, func(*fake) {})
		if least != threads+1 || runtime.GOMAXPROCS(0) != 1 {
			t.Errorf("%d shards: %d threads in the run, %d after it", threads, least, runtime.GOMAXPROCS(0))
		}
	}
}
