//go:build dragonfly || netbsd || openbsd

package ioevent

import "golang.org/x/sys/unix"

// setTimeout sets after how long the timer event ev comes. The unit common to these systems is the millisecond; it is rounded up.
func setTimeout(ev *unix.Kevent_t, d Time) {
	ev.Data = int64((d + 1e6 - 1) / 1e6)
}
