package backend

import (
	"errors"
	"fmt"
	"net"
)

// What the operating system or the network said no to. An error that matches one of them under errors.Is also wraps the
// *os.SyscallError it came from. A closed socket is net.ErrClosed.
var (
	ErrRefused     = errors.New("refused: nobody listens there")             // ECONNREFUSED, ICMP port unreachable
	ErrUnreachable = errors.New("unreachable")                               // ENETUNREACH, EHOSTUNREACH, ICMP unreachable
	ErrReset       = errors.New("connection reset by the peer")              // ECONNRESET, EPIPE
	ErrTooBig      = errors.New("datagram too big for the path or socket")   // EMSGSIZE
	ErrNoFiles     = errors.New("out of file descriptors")                   // EMFILE, ENFILE
	ErrNoPorts     = errors.New("out of local ports")                        // EADDRNOTAVAIL, EAGAIN of connect or bind
	ErrNoBuffers   = errors.New("out of network buffers")                    // ENOBUFS, ENOMEM
	ErrDenied      = errors.New("not permitted by the system or a firewall") // EACCES, EPERM
	ErrClosed      = net.ErrClosed
)

// UnsupportedError says that a backend does not work on this machine and why. It matches errors.ErrUnsupported.
type UnsupportedError struct {
	Backend   string // its name in the table
	Feature   string // what is missing, such as "recvmmsg(2)"
	MinKernel string // the first kernel that has it, "" where that is not the point
	Err       error  // what the probe saw; may be nil
}

func (e *UnsupportedError) Error() string {
	s := fmt.Sprintf("backend %s: %s is not available", e.Backend, e.Feature)
	if e.MinKernel != "" {
		s += " (needs kernel " + e.MinKernel + ")"
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Is reports whether target is errors.ErrUnsupported.
func (e *UnsupportedError) Is(target error) bool { return target == errors.ErrUnsupported }

// Unwrap returns what the probe saw.
func (e *UnsupportedError) Unwrap() error { return e.Err }
