//go:build unix

package backend

import (
	"errors"
	"syscall"
)

// errnoOf finds the error number in err.
func errnoOf(err error) syscall.Errno {
	errno, _ := errors.AsType[syscall.Errno](err)
	return errno
}
