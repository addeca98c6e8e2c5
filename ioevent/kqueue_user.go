//go:build darwin || dragonfly || freebsd

package ioevent

import "golang.org/x/sys/unix"

// userEvent wakes a kqueue by EVFILT_USER, which needs no descriptor.
type userEvent struct{ kq int }

func openUserEvent(kq int) (userEvent, error) {
	var ev unix.Kevent_t
	unix.SetKevent(&ev, 0, unix.EVFILT_USER, unix.EV_ADD|unix.EV_CLEAR)
	return userEvent{kq}, kevent(kq, ev)
}

func (u userEvent) signal() error {
	var ev unix.Kevent_t
	unix.SetKevent(&ev, 0, unix.EVFILT_USER, 0)
	ev.Fflags = unix.NOTE_TRIGGER
	return kevent(u.kq, ev)
}

// came reports whether ev is the wake-up.
func (u userEvent) came(ev *unix.Kevent_t) bool { return int(ev.Filter) == unix.EVFILT_USER }

func (u userEvent) close() error { return nil }
