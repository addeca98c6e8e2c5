//go:build !linux

package machine

// Clocks are none: there is no other way to the clock than package time's.
func Clocks() []Clock { return nil }
