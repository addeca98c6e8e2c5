//go:build !linux

package netpair

import (
	"errors"
	"fmt"
)

// Far is the other namespace: there is none.
type Far struct{}

// Open refuses.
func Open(bool) (*Far, error) {
	return nil, fmt.Errorf("only Linux has network namespaces: %w", errors.ErrUnsupported)
}

// Do calls what.
func (f *Far) Do(what func()) { what() }

// Close does nothing.
func (f *Far) Close() {}
