package ioevent

import "time"

// epoch is where Time counts from. Its wall clock part is never looked at.
var epoch = time.Now()

// Now reads the clock: the monotonic one of package time, which in a testing/synctest bubble is the bubble's.
func Now() Time { return Time(time.Since(epoch)) }
