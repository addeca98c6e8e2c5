//go:build !unix && !windows

package main

import "time"

// cpuTimes is not known here: 0.
func cpuTimes() (user, sys time.Duration) { return 0, 0 }
