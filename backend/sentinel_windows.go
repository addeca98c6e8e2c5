package backend

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// sentinel returns the package's error that the error number in err stands for, nil if there is none.
func sentinel(err error) error {
	errno, _ := errors.AsType[syscall.Errno](err)
	switch errno {
	case windows.WSAECONNREFUSED:
		return ErrRefused
	case windows.WSAENETUNREACH, windows.WSAEHOSTUNREACH, windows.WSAENETDOWN, windows.WSAEHOSTDOWN, windows.WSAENETRESET:
		return ErrUnreachable
	case windows.WSAECONNRESET, windows.WSAECONNABORTED, windows.WSAESHUTDOWN:
		return ErrReset
	case windows.WSAEMSGSIZE:
		return ErrTooBig
	case windows.WSAEMFILE:
		return ErrNoFiles
	case windows.WSAEADDRNOTAVAIL:
		return ErrNoPorts
	case windows.WSAENOBUFS:
		return ErrNoBuffers
	case windows.WSAEACCES:
		return ErrDenied
	}
	return nil
}
