package ioevent

import (
	"errors"
	"fmt"
)

// Latency says what it may cost to notice an event soon. Each Mechanism has one.
type Latency uint8

const (
	// Sleep gives the processor away until there is an event; noticing it takes as long as waking a thread. The default.
	Sleep Latency = iota
	// Busy polls the network device's queue for 50 µs before each sleep, so that what comes meanwhile is noticed without an interrupt. It
	// needs Linux 6.9 and a device with NAPI; on others, loopback among them, it is Sleep.
	Busy
	// Spin never sleeps while the loop waits: it looks again and again, on any device. It costs a whole processor, and loses where it has
	// to share one with what it waits for. Its loop has no descriptor for another loop to watch.
	Spin
)

func (l Latency) String() string {
	names := [...]string{Sleep: "sleep", Busy: "busy", Spin: "spin"}
	if int(l) < len(names) {
		return names[l]
	}
	return fmt.Sprintf("Latency(%d)", uint8(l))
}

// ForLatency returns the first mechanism in List that is of that Latency and whose Probe passes. The error says why there is none; it matches
// errors.ErrUnsupported.
func ForLatency(l Latency) (Mechanism, error) {
	var why error
	for _, m := range table() {
		if m.Latency != l {
			continue
		}
		err := m.Probe()
		if err == nil {
			return m, nil
		}
		why = errors.Join(why, err)
	}
	if why == nil {
		why = errors.ErrUnsupported
	}
	return Mechanism{}, fmt.Errorf("ioevent: no poller for latency %v works here: %w", l, why)
}
