//go:build !linux

package backendtest

const (
	errorQueue     = false // sockets with a descriptor have IP_RECVERR
	countsDrops    = false // the kernel tells what it dropped
	givesStamps    = false // so it does when a datagram came
	noSourceAllocs = false // a datagram's source is known without allocation
)
