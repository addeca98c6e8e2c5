// Package truth holds the load generator to what others count: Knot DNS, NSD and Unbound of what they were asked, the kernel of what it dropped, and a
// scripted server of what it did on purpose. Counts are exact there; times are so on a network in memory, which has a time of its own, and have slack on
// a real one.
//
//	go test ./internal/load/truth
//
// It has tests alone. Those of the command with the same aim are in cmd/dnsq.
package truth
