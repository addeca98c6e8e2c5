//go:build unix || js

package backend

import "syscall"

// sentinel returns the package's error that the error number in err stands for, nil if there is none.
func sentinel(err error) error {
	switch errnoOf(err) {
	case syscall.ECONNREFUSED:
		return ErrRefused
	case syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.ENETDOWN, syscall.EHOSTDOWN, syscall.ENOPROTOOPT:
		return ErrUnreachable
	case syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED:
		return ErrReset
	case syscall.EMSGSIZE:
		return ErrTooBig
	case syscall.EMFILE, syscall.ENFILE:
		return ErrNoFiles
	case syscall.EADDRNOTAVAIL, syscall.EAGAIN: // EAGAIN gets here from bind(2) and connect(2) alone
		return ErrNoPorts
	case syscall.ENOBUFS, syscall.ENOMEM:
		return ErrNoBuffers
	case syscall.EACCES, syscall.EPERM:
		return ErrDenied
	}
	return nil
}
