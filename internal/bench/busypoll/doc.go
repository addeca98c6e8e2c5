// Package busypoll asks one message after the other over a number of sockets and waits for the reply in the ways that the low-latency patches of
// Linux compare: poll(2), select(2) or epoll_wait(2) on all sockets, asleep, with the device polled before the sleep, or looking again and again.
package busypoll

import "time"

// A Way is how to wait for a reply.
type Way struct {
	Call string `json:"call"` // poll, select or epoll
	Mode string `json:"mode"` // one of those below
}

// The modes of waiting.
const (
	Sleep = "sleep" // in the system call, until an event
	Busy  = "busy"  // the same, with the socket's and the epoll's busy polling
	Spin  = "spin"  // system calls that only look
)

func (w Way) String() string { return w.Call + " " + w.Mode }

// Ways are all there are.
func Ways() (list []Way) {
	for _, call := range []string{"poll", "select", "epoll"} {
		for _, mode := range []string{Sleep, Busy, Spin} {
			list = append(list, Way{call, mode})
		}
	}
	return list
}

// What busy polling is set to: Documentation/networking/napi.rst.
const (
	BusyTime   = 50 * time.Microsecond // SO_BUSY_POLL; the document's sysctl had as much
	busyBudget = 64                    // packets a look; the most without CAP_NET_ADMIN
)
