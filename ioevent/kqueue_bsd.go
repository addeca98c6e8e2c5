//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package ioevent

import (
	"os"

	"golang.org/x/sys/unix"
)

// kqueue waits by kevent(2), edge-triggered (EV_CLEAR). Tokens are kept here, by descriptor: the kernel keeps pointers, which a token is not.
// It forgets the pending events of what is removed.
type kqueue struct {
	counters *Counters
	fd       int
	waker    userEvent
	armed    bool
	files    map[int]watched
	buf      []unix.Kevent_t
}

type watched struct {
	token Token
	in    Interest
}

var (
	_ Poller     = (*kqueue)(nil)
	_ Descriptor = (*kqueue)(nil)
)

func openKqueue(c *Counters) (Poller, error) {
	fd, err := unix.Kqueue()
	if err != nil {
		return nil, os.NewSyscallError("kqueue", err)
	}
	unix.CloseOnExec(fd) // a child would not inherit it either way
	p := &kqueue{counters: c, fd: fd, files: make(map[int]watched)}
	if p.waker, err = openUserEvent(fd); err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	return p, nil
}

func (p *kqueue) Add(fd int, tok Token, in Interest) error {
	before := p.files[fd].in
	if err := p.filter(fd, unix.EVFILT_READ, before&Read != 0, in&Read != 0); err != nil {
		return err
	}
	if err := p.filter(fd, unix.EVFILT_WRITE, before&Write != 0, in&Write != 0); err != nil {
		return err
	}
	p.files[fd] = watched{tok, in}
	return nil
}

func (p *kqueue) Remove(fd int) error {
	before := p.files[fd].in
	delete(p.files, fd)
	readErr := p.filter(fd, unix.EVFILT_READ, before&Read != 0, false)
	writeErr := p.filter(fd, unix.EVFILT_WRITE, before&Write != 0, false)
	if readErr != nil {
		return readErr
	}
	return writeErr
}

// filter sets or removes one filter of fd. Setting it again has the kernel look at the file again.
func (p *kqueue) filter(fd, filter int, before, after bool) error {
	var ev unix.Kevent_t
	switch {
	case after:
		unix.SetKevent(&ev, fd, filter, unix.EV_ADD|unix.EV_CLEAR)
	case before:
		unix.SetKevent(&ev, fd, filter, unix.EV_DELETE)
	default:
		return nil
	}
	return p.change(ev)
}

func (p *kqueue) change(ev unix.Kevent_t) error {
	p.counters.Syscalls++
	return kevent(p.fd, ev)
}

func kevent(kq int, change unix.Kevent_t) error {
	_, err := unix.Kevent(kq, []unix.Kevent_t{change}, nil, nil)
	return os.NewSyscallError("kevent", err)
}

// Arm sets a relative timer: absolute ones, where there are any, follow the wall clock.
func (p *kqueue) Arm(at Time) error {
	var ev unix.Kevent_t
	if p.armed { // setting a timer that is set does nothing on some systems
		unix.SetKevent(&ev, 0, unix.EVFILT_TIMER, unix.EV_DELETE)
		_ = p.change(ev) // it may have come meanwhile
	}
	p.armed = at != Never
	if !p.armed {
		return nil
	}
	p.counters.ClockReads++
	unix.SetKevent(&ev, 0, unix.EVFILT_TIMER, unix.EV_ADD|unix.EV_ONESHOT)
	setTimeout(&ev, max(1, at-Now()))
	return p.change(ev)
}

func (p *kqueue) Wait(evs []Event, block bool) (n int, err error) {
	if len(p.buf) != len(evs) {
		p.buf = make([]unix.Kevent_t, len(evs))
	}
	var timeout *unix.Timespec
	if !block {
		timeout = new(unix.Timespec)
	}
	got, err := p.wait(timeout)
	for err == unix.EINTR {
		got, err = p.wait(timeout)
	}
	if err != nil {
		return 0, os.NewSyscallError("kevent", err)
	}
	for i := range p.buf[:got] {
		if ev := p.event(&p.buf[i]); ev.Ready != 0 {
			evs[n] = ev
			n++
		}
	}
	return n, nil
}

func (p *kqueue) wait(timeout *unix.Timespec) (int, error) {
	p.counters.Syscalls++
	return unix.Kevent(p.fd, nil, p.buf, timeout)
}

// event translates; nothing is ready where the event is the poller's own.
func (p *kqueue) event(ev *unix.Kevent_t) Event {
	if int(ev.Filter) == unix.EVFILT_TIMER {
		p.armed = false
		return Event{}
	}
	if p.waker.came(ev) {
		return Event{}
	}
	file, ok := p.files[int(ev.Ident)]
	if !ok {
		return Event{}
	}
	ready := Read
	switch {
	case int(ev.Filter) == unix.EVFILT_WRITE:
		ready = Write
	case ev.Flags&unix.EV_EOF != 0:
		ready |= End
	}
	if ev.Flags&unix.EV_EOF != 0 && ev.Fflags != 0 { // the socket's error
		ready |= Error | Read
	}
	return Event{file.token, ready}
}

func (p *kqueue) Wake() error { return p.waker.signal() }

func (p *kqueue) FD() int { return p.fd }

func (p *kqueue) Close() error {
	_ = p.waker.close()
	return os.NewSyscallError("close", unix.Close(p.fd))
}
