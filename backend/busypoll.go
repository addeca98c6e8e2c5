package backend

import (
	"fmt"
	"math"
	"time"
)

// BusyPoll has a receive that finds the socket empty look at the network device itself, instead of waiting for its interrupt: see
// socket(7) and the kernel's Documentation/networking/napi.rst. It is Linux's, and works where the device has a NAPI id for the socket
// (SO_INCOMING_NAPI_ID): loopback has none. The zero value leaves all to the system. What the system refuses fails the opening, with
// ErrDenied where a capability is missing.
type BusyPoll struct {
	// Time is for how long, in whole microseconds: SO_BUSY_POLL, Linux 3.11; 0: as net.core.busy_read says. Sockets here never block, and so
	// look once whatever it is; poll(2) and select(2) take that long if net.core.busy_poll is not 0. Kernels of
	// some age want CAP_NET_ADMIN.
	Time time.Duration
	// Prefer leaves the device's interrupts off while looks come in time: SO_PREFER_BUSY_POLL, Linux 5.11. It needs CAP_NET_ADMIN.
	Prefer bool
	// Budget is the most packets a look takes off the device: SO_BUSY_POLL_BUDGET, Linux 5.11; 0: 8. More than that needs CAP_NET_ADMIN.
	Budget int
}

func (b BusyPoll) check() error {
	switch {
	case b == BusyPoll{}:
		return nil
	case b.Time < 0 || b.Time%time.Microsecond != 0 || b.Time > math.MaxInt32*time.Microsecond:
		return fmt.Errorf("busy polling for %v: whole microseconds are possible", b.Time)
	case b.Budget < 0 || b.Budget > math.MaxUint16:
		return fmt.Errorf("busy polling with a budget of %d packets: 1 to %d are possible", b.Budget, math.MaxUint16)
	}
	return canBusyPoll()
}
