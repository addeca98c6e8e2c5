//go:build !linux

package backend

import (
	"errors"
	"fmt"
)

func canBusyPoll() error {
	return fmt.Errorf("busy polling: only Linux has it: %w", errors.ErrUnsupported)
}

// setBusyPoll has nothing to set: a Config that asks for it is refused before.
func setBusyPoll(int, BusyPoll) error { return nil }
