//go:build race

package wire

// slower is what the race detector costs at most.
const slower = 20
