package backend

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

func (u uring) backend() Backend { return Backend{"uring", u.probe, u.open, dialTCP, true} }

// probe opens a socket: a number tells less than that about kernels that were patched, and nothing about what is forbidden.
func (u uring) probe() error {
	s, err := u.open(Config{Batch: 1})
	if err == nil {
		return s.Close()
	}
	return missing(err)
}

// missing tells by the call that failed what is not there.
func missing(err error) *UnsupportedError {
	e := &UnsupportedError{Backend: "uring", Feature: "io_uring(7)", Err: err}
	call, ok := errors.AsType[*os.SyscallError](err)
	switch {
	case !ok:
	case errors.Is(err, unix.EPERM):
		e.Err = fmt.Errorf("%w (%s)", err, forbidden("/proc/sys/kernel/io_uring_disabled"))
	case call.Syscall == "io_uring_setup" && errors.Is(err, unix.ENOSYS):
		e.Feature, e.MinKernel = "io_uring_setup(2)", "5.1"
	case call.Syscall == "io_uring_register":
		e.Feature, e.MinKernel = "IORING_REGISTER_PBUF_RING", "5.19"
	case call.Syscall == "io_uring_enter":
		e.Feature, e.MinKernel = "multishot recvmsg(2)", "6.0"
	}
	return e
}

// forbidden says who forbids io_uring: an administrator by the sysctl in that file, or somebody else.
func forbidden(file string) string {
	value, err := os.ReadFile(file)
	if v := strings.TrimSpace(string(value)); err == nil && v != "0" {
		return "sysctl kernel.io_uring_disabled is " + v
	}
	return "a seccomp filter or a security module forbids it"
}
