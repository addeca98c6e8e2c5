// Package netpair makes two network namespaces with a pair of devices between them, where there is what loopback has not: an interface that receives by
// NAPI, and so one that can be busy polled. It needs Linux, root, and the programs ip and ethtool. What it makes ends with the threads that it was made on.
package netpair

// The pair: the caller's end and the other one.
const (
	NearDevice, FarDevice   = "v0", "v1"
	NearAddress, FarAddress = "192.0.2.1", "192.0.2.2"
)

// Run calls f on a thread of its own in a network namespace of its own, at the near end of a new pair, and returns f's error or why there is no pair: see
// Open.
func Run(napi bool, f func(far *Far) error) error {
	ended := make(chan error)
	go func() {
		far, err := Open(napi) // locks the goroutine to its thread, and both end here
		if err == nil {
			err = f(far)
			far.Close()
		}
		ended <- err
	}()
	return <-ended
}
