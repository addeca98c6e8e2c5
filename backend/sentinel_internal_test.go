//go:build unix

package backend

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

func TestSentinels(t *testing.T) {
	for errno, want := range map[syscall.Errno]error{
		syscall.ECONNREFUSED:  ErrRefused,
		syscall.EHOSTUNREACH:  ErrUnreachable,
		syscall.ENETUNREACH:   ErrUnreachable,
		syscall.ECONNRESET:    ErrReset,
		syscall.EPIPE:         ErrReset,
		syscall.EMSGSIZE:      ErrTooBig,
		syscall.EMFILE:        ErrNoFiles,
		syscall.ENFILE:        ErrNoFiles,
		syscall.EADDRNOTAVAIL: ErrNoPorts,
		syscall.EAGAIN:        ErrNoPorts,
		syscall.ENOBUFS:       ErrNoBuffers,
		syscall.ENOMEM:        ErrNoBuffers,
		syscall.EACCES:        ErrDenied,
		syscall.EPERM:         ErrDenied,
	} {
		err := failed("connect", errno)
		if _, ok := errors.AsType[*os.SyscallError](err); !ok || !errors.Is(err, want) || !errors.Is(err, errno) {
			t.Errorf("%v is not %v and an os.SyscallError", err, want)
		}
		if err.Error() != "connect: "+errno.Error() {
			t.Errorf("%q does not say what the system said", err)
		}
	}
	if err := failed("bind", syscall.EADDRINUSE); errors.Is(err, ErrNoPorts) || !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("%v matches a sentinel", err)
	}
	if err := reported(syscall.EPROTO); !errors.Is(err, ErrUnreachable) {
		t.Errorf("a report with %v does not match %v", err, ErrUnreachable)
	}
}
