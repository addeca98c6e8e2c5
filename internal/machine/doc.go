// Package machine asks the operating system what decides about latency: what a system call for the time costs, which clocks there are, and by which device the
// replies of a server come in, whether that can be polled, and what this process has used of the processors.
package machine
