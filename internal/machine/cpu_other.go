//go:build !unix && !windows

package machine

import "time"

// CPUTimes is not known here: 0.
func CPUTimes() (user, sys time.Duration) { return 0, 0 }
