package main

import (
	"fmt"
	"strings"

	"github.com/dnsq/dnsq/resolver"
)

// statsText lists what a resolver counted, a line each. System calls are those of backend and poller.
func statsText(backend, poller string, s resolver.Stats) string {
	calls := s.Socket.Syscalls + s.Loop.Syscalls
	var b strings.Builder
	fmt.Fprintf(&b, ";; backend: %s\n;; poller: %s\n", backend, poller)
	for _, row := range []struct {
		name  string
		value uint64
	}{
		{"queries", s.Completed},
		{"messages sent", s.Sent},
		{"messages received", s.Received},
		{"timeouts", s.Timeouts},
		{"truncated", s.Truncated},
		{"network errors", s.NetworkErrors},
		{"unknown ids", s.UnknownID},
		{"mismatched", s.Mismatched},
		{"malformed", s.Malformed},
		{"sockets", s.Sockets},
		{"dials", s.Dials},
		{"system calls", calls},
		{"empty receives", s.Socket.EmptyReceives},
		{"drops by the kernel", s.Socket.Dropped},
		{"turns", s.Loop.Turns},
		{"waits", s.Loop.Waits},
		{"timed waits", s.Loop.TimedWaits},
		{"wakes", s.Loop.Wakes},
		{"datagrams", s.Loop.Datagrams},
		{"clock reads", s.Loop.ClockReads},
	} {
		fmt.Fprintf(&b, ";; %s: %d\n", row.name, row.value)
	}
	fmt.Fprintf(&b, ";; system calls a query: %.2f\n", float64(calls)/float64(max(s.Completed, 1)))
	return b.String()
}
