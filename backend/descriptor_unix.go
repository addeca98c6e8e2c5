//go:build unix

package backend

import (
	"net"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// closing is the bit of descriptor.state that says Close was called; the bits below count the calls in progress.
const closing = 1 << 31

// A descriptor is a file descriptor that one goroutine may use while another closes it. The number goes back to the system only when no
// call is in progress, and no call begins after: it never reaches the file that gets the number next (CVE-2013-7423).
type descriptor struct {
	fd    int
	state atomic.Uint32
	free  func() // gives back, ahead of fd, what else goes with it; nil where nothing does
}

// acquire begins a call; it returns false after Close. Each true is followed by a release.
func (d *descriptor) acquire() bool {
	for {
		s := d.state.Load()
		if s&closing != 0 {
			return false
		}
		if d.state.CompareAndSwap(s, s+1) {
			return true
		}
	}
}

// release ends a call.
func (d *descriptor) release() {
	if d.state.Add(^uint32(0)) == closing {
		d.close()
	}
}

func (d *descriptor) close() {
	if d.free != nil {
		d.free()
	}
	// An error other than EBADF leaves the number free (close(2)): there is nothing to be done about it.
	unix.Close(d.fd)
}

// FD is the descriptor.
func (d *descriptor) FD() int { return d.fd }

// Close frees the descriptor, or leaves that to the call in progress.
func (d *descriptor) Close() error {
	switch old := d.state.Or(closing); {
	case old&closing != 0:
		return net.ErrClosed
	case old == 0:
		d.close()
	}
	return nil
}
