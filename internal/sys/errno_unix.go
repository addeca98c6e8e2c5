//go:build unix

package sys

import (
	"errors"
	"syscall"
)

// Errno returns the error number in err: 0 for nil, EIO for an error that has none.
func Errno(err error) syscall.Errno {
	if err == nil {
		return 0
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno
	}
	return syscall.EIO
}
