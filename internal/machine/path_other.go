//go:build !linux

package machine

import (
	"errors"
	"fmt"
	"syscall"
)

// wantInterface refuses: only Linux has NAPI ids, so nothing needs to be sent.
func wantInterface(syscall.RawConn, bool) error {
	return fmt.Errorf("only Linux tells whether a device can be polled: %w", errors.ErrUnsupported)
}

func pathOf(syscall.RawConn, []byte) (Path, error) { return Path{}, errors.ErrUnsupported }
