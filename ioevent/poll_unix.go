//go:build unix

package ioevent

import (
	"os"

	"golang.org/x/sys/unix"
)

// poll waits by poll(2), level-triggered. Each wait costs as much as there are descriptors.
type poll struct {
	counters *Counters
	waker    wakefd
	alarm    *alarm
	files    []unix.PollFd // the waker's, the alarm's, then those watched
	tokens   []Token       // of files
	index    map[int]int   // of a descriptor in files
	from     int           // where the next look at files begins, so that each gets its place in a small evs
}

var _ Poller = (*poll)(nil)

const ownFiles = 2

func openPoll(c *Counters) (Poller, error) {
	w, err := openWakefd()
	if err != nil {
		return nil, err
	}
	a, err := openAlarm()
	if err != nil {
		_ = w.close()
		return nil, err
	}
	return &poll{
		counters: c, waker: w, alarm: a, from: ownFiles, tokens: make([]Token, ownFiles), index: make(map[int]int),
		files: []unix.PollFd{{Fd: int32(w.fd), Events: unix.POLLIN}, {Fd: int32(a.file()), Events: unix.POLLIN}},
	}, nil
}

func (p *poll) Add(fd int, tok Token, in Interest) error {
	i, ok := p.index[fd]
	if !ok {
		i = len(p.files)
		p.index[fd] = i
		p.files, p.tokens = append(p.files, unix.PollFd{Fd: int32(fd)}), append(p.tokens, 0)
	}
	p.files[i].Events, p.tokens[i] = 0, tok
	if in&Read != 0 {
		p.files[i].Events |= unix.POLLIN
	}
	if in&Write != 0 {
		p.files[i].Events |= unix.POLLOUT
	}
	return nil
}

func (p *poll) Remove(fd int) error {
	i, ok := p.index[fd]
	if !ok {
		return os.NewSyscallError("poll", unix.ENOENT)
	}
	last := len(p.files) - 1
	p.files[i], p.tokens[i] = p.files[last], p.tokens[last]
	p.index[int(p.files[i].Fd)] = i
	p.files, p.tokens = p.files[:last], p.tokens[:last]
	delete(p.index, fd)
	return nil
}

func (p *poll) Arm(at Time) error { return p.alarm.arm(p.counters, at) }

func (p *poll) Wait(evs []Event, block bool) (int, error) {
	timeout := 0
	if block {
		timeout = -1
	}
	ready, err := p.poll(timeout)
	for err == unix.EINTR {
		ready, err = p.poll(timeout)
	}
	if err != nil {
		return 0, os.NewSyscallError("poll", err)
	}
	if p.files[0].Revents != 0 {
		ready--
		p.counters.Syscalls++
		p.waker.drain()
	}
	if p.files[1].Revents != 0 {
		ready--
		p.counters.Syscalls++
		p.alarm.drain()
	}
	return p.collect(evs, ready), nil
}

func (p *poll) poll(timeout int) (int, error) {
	p.counters.Syscalls++
	return unix.Poll(p.files, timeout)
}

// collect fills evs with as many of the ready files as it holds.
func (p *poll) collect(evs []Event, ready int) (n int) {
	for range len(p.files) - ownFiles {
		if n == min(ready, len(evs)) {
			break
		}
		if p.from >= len(p.files) {
			p.from = ownFiles
		}
		if got := p.files[p.from].Revents; got != 0 {
			evs[n] = Event{p.tokens[p.from], pollReady(int(got))}
			n++
		}
		p.from++
	}
	return n
}

// pollReady translates. An error or a hang-up makes readable, so that whoever reads meets it.
func pollReady(revents int) (r Interest) {
	const bad = unix.POLLERR | unix.POLLHUP | unix.POLLNVAL
	if revents&(unix.POLLIN|bad) != 0 {
		r |= Read
	}
	if revents&unix.POLLOUT != 0 {
		r |= Write
	}
	if revents&bad != 0 {
		r |= Error
	}
	return r
}

func (p *poll) Wake() error { return p.waker.signal() }

func (p *poll) Close() error {
	_ = p.alarm.close()
	return p.waker.close()
}
