package wait

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

var errNothing = errors.New("a wait found nothing where a datagram is")

// Ready waits for a socket that has a datagram all the time, so that no wait sleeps: what is left is the call.
type Ready struct {
	kernel  kernel
	timeout time.Duration
}

// OpenReady opens the socket. The way may be Bare here.
func OpenReady(w Way) (*Ready, error) {
	if !w.valid() {
		return nil, fmt.Errorf("nothing waits by %v", w)
	}
	k, err := openKernel(w, netip.AddrPort{})
	if err != nil {
		return nil, err
	}
	r := &Ready{kernel: k, timeout: -1}
	err = k.send([]byte("x"))
	switch {
	case w.Manner == Timeout:
		r.timeout = time.Second
	case w.Manner == Polling:
		r.timeout = 0
	case w.Manner == Timerfd && err == nil:
		err = k.arm(time.Hour)
	}
	if err != nil {
		_ = k.close()
		return nil, err
	}
	return r, nil
}

// Run waits n times.
func (r *Ready) Run(n int) error {
	for range n {
		readable, _, err := r.kernel.wait(r.timeout)
		if err != nil {
			return err
		}
		if !readable {
			return errNothing
		}
	}
	return nil
}

// Close closes its descriptors.
func (r *Ready) Close() error { return r.kernel.close() }
