package wait

import (
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// selects waits by pselect6(2), which is what C's select has become.
type selects struct {
	*descriptors
	set unix.FdSet
	n   int // descriptors that are looked at
	ts  unix.Timespec
}

func newSelects(d *descriptors) (*selects, error) {
	s := &selects{descriptors: d, n: max(d.socket, d.timer) + 1}
	if s.n > unix.FD_SETSIZE {
		return nil, fmt.Errorf("descriptor %d: select takes those below %d", s.n-1, unix.FD_SETSIZE)
	}
	return s, nil
}

func (s *selects) wait(timeout time.Duration) (readable, timer bool, err error) {
	s.set.Set(s.socket)
	if s.timer >= 0 {
		s.set.Set(s.timer)
	}
	errno := s.call(timeout)
	for errno == unix.EINTR {
		errno = s.call(timeout)
	}
	if errno != 0 {
		return false, false, os.NewSyscallError("pselect6", errno)
	}
	if timer = s.timer >= 0 && s.set.IsSet(s.timer); timer {
		s.expired()
	}
	return s.set.IsSet(s.socket), timer, nil
}

// call is not x/sys's: that would allocate for the timeout.
func (s *selects) call(timeout time.Duration) unix.Errno {
	var ts unsafe.Pointer
	if timeout >= 0 {
		s.ts = unix.NsecToTimespec(int64(timeout)) // the kernel writes what is left into it
		ts = unsafe.Pointer(&s.ts)
	}
	_, _, errno := unix.Syscall6(unix.SYS_PSELECT6, uintptr(s.n), uintptr(unsafe.Pointer(&s.set)), 0, 0, uintptr(ts), 0)
	return errno
}

// polls waits by poll(2).
type polls struct {
	*descriptors
	files []unix.PollFd
}

func newPolls(d *descriptors) *polls {
	p := &polls{descriptors: d, files: []unix.PollFd{{Fd: int32(d.socket), Events: unix.POLLIN}}}
	if d.timer >= 0 {
		p.files = append(p.files, unix.PollFd{Fd: int32(d.timer), Events: unix.POLLIN})
	}
	return p
}

func (p *polls) wait(timeout time.Duration) (readable, timer bool, err error) {
	ms := millis(timeout)
	_, err = unix.Poll(p.files, ms)
	for err == unix.EINTR {
		_, err = unix.Poll(p.files, ms)
	}
	if err != nil {
		return false, false, os.NewSyscallError("poll", err)
	}
	if timer = len(p.files) > 1 && p.files[1].Revents != 0; timer {
		p.expired()
	}
	return p.files[0].Revents != 0, timer, nil
}

// epolls waits by epoll_wait(2), level-triggered as the others are.
type epolls struct {
	*descriptors
	fd     int
	events [2]unix.EpollEvent
}

func newEpolls(d *descriptors) (*epolls, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	for _, file := range []int{d.socket, d.timer} {
		if file < 0 {
			continue
		}
		ev := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(file)}
		if err := unix.EpollCtl(fd, unix.EPOLL_CTL_ADD, file, &ev); err != nil {
			_ = unix.Close(fd)
			return nil, os.NewSyscallError("epoll_ctl", err)
		}
	}
	return &epolls{descriptors: d, fd: fd}, nil
}

func (e *epolls) wait(timeout time.Duration) (readable, timer bool, err error) {
	ms := millis(timeout)
	n, err := unix.EpollWait(e.fd, e.events[:], ms)
	for err == unix.EINTR {
		n, err = unix.EpollWait(e.fd, e.events[:], ms)
	}
	if err != nil {
		return false, false, os.NewSyscallError("epoll_wait", err)
	}
	for _, ev := range e.events[:n] {
		if ev.Fd == int32(e.socket) {
			readable = true
			continue
		}
		timer = true
		e.expired()
	}
	return readable, timer, nil
}

func (e *epolls) close() error {
	_ = unix.Close(e.fd)
	return e.descriptors.close()
}

// millis rounds up: a wait that ends too early would be done again.
func millis(timeout time.Duration) int {
	if timeout < 0 {
		return -1
	}
	return int((timeout + time.Millisecond - 1) / time.Millisecond)
}
