//go:build darwin || freebsd

package ioevent

import "golang.org/x/sys/unix"

// setTimeout sets after how long the timer event ev comes.
func setTimeout(ev *unix.Kevent_t, d Time) {
	ev.Fflags, ev.Data = unix.NOTE_NSECONDS, int64(d)
}
