//go:build !linux

package backend

// vectors is empty: no call of this system moves a batch.
type vectors struct{}
