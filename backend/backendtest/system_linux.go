package backendtest

const (
	errorQueue     = true // sockets with a descriptor have IP_RECVERR
	countsDrops    = true // the kernel tells what it dropped
	givesStamps    = true // so it does when a datagram came
	noSourceAllocs = true // a datagram's source is known without allocation
)
