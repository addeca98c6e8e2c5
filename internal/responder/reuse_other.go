//go:build !linux

package responder

import (
	"errors"
	"fmt"
)

// reusePort fails: elsewhere the option does not spread datagrams, where there is one.
func reusePort(string, uintptr) error {
	return fmt.Errorf("more than one thread on an address: %w", errors.ErrUnsupported)
}
