//go:build netbsd || openbsd

package ioevent

import "golang.org/x/sys/unix"

// userEvent wakes a kqueue by a pipe: not every release of these systems has EVFILT_USER.
type userEvent struct{ wakefd }

func openUserEvent(kq int) (userEvent, error) {
	w, err := openWakefd()
	if err != nil {
		return userEvent{}, err
	}
	var ev unix.Kevent_t
	unix.SetKevent(&ev, w.fd, unix.EVFILT_READ, unix.EV_ADD) // level-triggered: drain reads once
	if err := kevent(kq, ev); err != nil {
		_ = w.close()
		return userEvent{}, err
	}
	return userEvent{w}, nil
}

// came reports whether ev is the wake-up.
func (u userEvent) came(ev *unix.Kevent_t) bool {
	if int(ev.Ident) != u.fd || int(ev.Filter) != unix.EVFILT_READ {
		return false
	}
	u.drain()
	return true
}
