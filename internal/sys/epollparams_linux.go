package sys

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// EpollParams is struct epoll_params of linux/eventpoll.h: for how long a wait polls the device before it sleeps, ioctl_eventpoll(2), Linux 6.9.
type EpollParams struct {
	Micros uint32
	Budget uint16 // packets a look at the device takes; more than 64, NAPI_POLL_WEIGHT, needs CAP_NET_ADMIN
	Prefer uint8  // 1: leave the device's interrupts off while polls come in time
	_      uint8
}

// SetEpollParams sets those of an epoll descriptor.
func SetEpollParams(fd int, p EpollParams) syscall.Errno {
	return epollParams(fd, unix.EPIOCSPARAMS, &p)
}

// GetEpollParams returns those of an epoll descriptor.
func GetEpollParams(fd int) (p EpollParams, errno syscall.Errno) {
	errno = epollParams(fd, unix.EPIOCGPARAMS, &p)
	return p, errno
}

func epollParams(fd int, request uintptr, p *EpollParams) syscall.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(unsafe.Pointer(p)))
	return errno
}
