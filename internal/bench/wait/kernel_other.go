//go:build !linux

package wait

import (
	"errors"
	"fmt"
	"net/netip"
)

// openKernel knows Linux alone, which the document is about: a loop without a timeout needs a timer that is a descriptor.
func openKernel(w Way, _ netip.AddrPort) (kernel, error) {
	return nil, fmt.Errorf("waiting by %v, which needs Linux: %w", w, errors.ErrUnsupported)
}
