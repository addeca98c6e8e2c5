//go:build !linux

package machine

import "time"

// ClockCall is 0: there is no other way to the clock to compare with.
func ClockCall() time.Duration { return 0 }
