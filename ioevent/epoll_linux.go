package ioevent

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// epoll waits by epoll(7), level-triggered or edge-triggered. Its timer and its waker are edge-triggered either way, so that neither is
// ever read: setting the one and writing to the other makes a new edge.
type epoll struct {
	counters *Counters
	fd       int
	trigger  uint32 // 0 or EPOLLET
	timer    timerfd
	waker    wakefd
	buf      []unix.EpollEvent
}

var (
	_ Poller     = (*epoll)(nil)
	_ Descriptor = (*epoll)(nil)
)

func openLevel(c *Counters) (Poller, error) { return openEpoll(c, 0) }

func openEdge(c *Counters) (Poller, error) { return openEpoll(c, unix.EPOLLET) }

func openEpoll(c *Counters, trigger uint32) (Poller, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	p := &epoll{counters: c, fd: fd, trigger: trigger, timer: timerfd{fd: -1}, waker: wakefd{fd: -1}}
	if err := p.openOwn(); err != nil {
		_ = p.Close()
		return nil, err
	}
	return p, nil
}

func (p *epoll) openOwn() (err error) {
	if p.timer, err = openTimerfd(); err != nil {
		return err
	}
	if p.waker, err = openWakefd(); err != nil {
		return err
	}
	if err := p.control(unix.EPOLL_CTL_ADD, p.timer.fd, own, unix.EPOLLIN|unix.EPOLLET); err != nil {
		return err
	}
	return p.control(unix.EPOLL_CTL_ADD, p.waker.fd, own, unix.EPOLLIN|unix.EPOLLET)
}

// own is the token of a poller's own descriptors, whose events it keeps.
const own Token = 0

func (p *epoll) Add(fd int, tok Token, in Interest) error {
	events := p.trigger
	if in&Read != 0 {
		events |= unix.EPOLLIN | unix.EPOLLRDHUP
	}
	if in&Write != 0 {
		events |= unix.EPOLLOUT
	}
	p.counters.Syscalls++
	err := p.control(unix.EPOLL_CTL_ADD, fd, tok, events)
	if err == unix.EEXIST {
		p.counters.Syscalls++
		err = p.control(unix.EPOLL_CTL_MOD, fd, tok, events) // looks at the file again: a ready one makes an edge
	}
	return os.NewSyscallError("epoll_ctl", err)
}

func (p *epoll) control(op, fd int, tok Token, events uint32) error {
	// The 64 bits of data that the kernel hands back are two fields in Go.
	ev := unix.EpollEvent{Events: events, Fd: int32(tok), Pad: int32(tok >> 32)}
	return unix.EpollCtl(p.fd, op, fd, &ev)
}

func (p *epoll) Remove(fd int) error {
	p.counters.Syscalls++
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(p.fd, unix.EPOLL_CTL_DEL, fd, nil))
}

func (p *epoll) Arm(at Time) error {
	p.counters.Syscalls++
	return p.timer.arm(at)
}

func (p *epoll) Wait(evs []Event, block bool) (n int, err error) {
	if len(p.buf) != len(evs) {
		p.buf = make([]unix.EpollEvent, len(evs))
	}
	got, errno := p.wait(block)
	for errno == unix.EINTR {
		got, errno = p.wait(block)
	}
	if errno != 0 {
		return 0, os.NewSyscallError("epoll_pwait", errno)
	}
	for _, ev := range p.buf[:got] {
		tok := Token(uint32(ev.Fd)) | Token(uint32(ev.Pad))<<32
		if tok == own {
			continue
		}
		evs[n] = Event{tok, epollReady(ev.Events)}
		n++
	}
	return n, nil
}

// wait is epoll_pwait(2). The one that only looks does not tell the scheduler: that costs more than the call.
func (p *epoll) wait(block bool) (int, unix.Errno) {
	p.counters.Syscalls++
	buf, size := unsafe.Pointer(unsafe.SliceData(p.buf)), uintptr(len(p.buf))
	if block {
		n, _, errno := unix.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(buf), size, ^uintptr(0), 0, 0)
		return int(n), errno
	}
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(buf), size, 0, 0, 0)
	return int(n), errno
}

// epollReady translates. An error or a hang-up makes readable, and EPOLLOUT comes with it where that was asked for, so that whoever reads or
// writes meets it.
func epollReady(events uint32) (r Interest) {
	if events&(unix.EPOLLIN|unix.EPOLLERR|unix.EPOLLHUP) != 0 {
		r |= Read
	}
	if events&unix.EPOLLOUT != 0 {
		r |= Write
	}
	if events&(unix.EPOLLERR|unix.EPOLLHUP) != 0 {
		r |= Error
	}
	if events&unix.EPOLLRDHUP != 0 { // comes with EPOLLIN
		r |= End
	}
	return r
}

func (p *epoll) Wake() error { return p.waker.signal() }

func (p *epoll) FD() int { return p.fd }

func (p *epoll) Close() error {
	_ = p.timer.close()
	_ = p.waker.close()
	return os.NewSyscallError("close", unix.Close(p.fd))
}
