//go:build !unix

package backendtest

const (
	hasControl = false // Control gets a descriptor from package net, too
	hasStats   = false // the kernel tells the buffers it granted
	hasReset   = false // SetLinger(0) sends a reset
)

// boundPort does not know.
func boundPort(uintptr) int { return 0 }
