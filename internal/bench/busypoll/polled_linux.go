package busypoll

import (
	"os"
	"slices"
	"strconv"
	"strings"
)

// Polled is how many packets the kernel has taken off devices for somebody who waited, in the network namespace of the calling thread:
// BusyPollRxPackets. It is 0 where the kernel does not say.
func Polled() uint64 {
	text, err := os.ReadFile("/proc/thread-self/net/netstat")
	if err != nil {
		return 0
	}
	return polledIn(string(text))
}

// polledIn reads pairs of lines, the names and the values.
func polledIn(text string) uint64 {
	lines := strings.Split(text, "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		names, values := strings.Fields(lines[i]), strings.Fields(lines[i+1])
		if at := slices.Index(names, "BusyPollRxPackets"); at >= 0 && at < len(values) {
			n, _ := strconv.ParseUint(values[at], 10, 64)
			return n
		}
	}
	return 0
}
