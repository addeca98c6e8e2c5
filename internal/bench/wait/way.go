package wait

import "slices"

// A Way is how a loop waits.
type Way struct {
	Call   string `json:"call"`   // one of Calls
	Manner string `json:"manner"` // one of Manners, or Bare
}

func (w Way) String() string { return w.Call + "/" + w.Manner }

// The manners.
const (
	Timeout = "timeout" // each wait has one, until the next deadline
	Timerfd = "timerfd" // no timeout: a timerfd is watched, too
	Polling = "polling" // a timeout of zero, again and again
	Bare    = "bare"    // neither a timeout nor a timer: not for a loop, which would miss a deadline
)

// Calls are the system calls.
func Calls() []string { return []string{"select", "poll", "epoll"} }

// Manners are those that a loop can have.
func Manners() []string { return []string{Timeout, Timerfd, Polling} }

// Ways are all that a loop can have.
func Ways() (list []Way) {
	for _, call := range Calls() {
		for _, manner := range Manners() {
			list = append(list, Way{call, manner})
		}
	}
	return list
}

// KernelReads is how often Linux reads its clock in one wait, by its sources, if the wait does not sleep. Setting the timer that ends a sleep reads it again.
func (w Way) KernelReads() int {
	if w.Manner != Timeout {
		return 0
	}
	return map[string]int{"select": 3, "poll": 2, "epoll": 2}[w.Call]
}

// valid reports whether there is such a way, Bare included.
func (w Way) valid() bool {
	return slices.Contains(Calls(), w.Call) && (w.Manner == Bare || slices.Contains(Manners(), w.Manner))
}
