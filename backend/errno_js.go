package backend

import (
	"errors"
	"net"
	"strings"
	"syscall"
)

// errnoOf finds the error number in err. The network in package net's memory keeps no more than its text when a dial fails.
func errnoOf(err error) syscall.Errno {
	if e, ok := errors.AsType[*net.AddrError](err); ok && strings.HasSuffix(e.Err, syscall.ECONNREFUSED.Error()) {
		return syscall.ECONNREFUSED
	}
	errno, _ := errors.AsType[syscall.Errno](err)
	return errno
}
