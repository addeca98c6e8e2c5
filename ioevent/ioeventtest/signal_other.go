//go:build !linux

package ioeventtest

import "testing"

// interruptThread does nothing: a signal cannot be sent to a thread here.
func interruptThread(*testing.T) (stop func()) { return func() {} }
