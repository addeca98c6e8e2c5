package wait

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// Config is what a loop does.
type Config struct {
	Way
	Server      netip.AddrPort
	Query       []byte // what is sent, and answered by one datagram
	Outstanding int
	Try         time.Duration // until a query counts as lost
}

// Counts are what a loop did.
type Counts struct {
	Waits      uint64 // calls of select, poll or epoll_wait
	TimedWaits uint64 // those with a timeout above zero
	Wakes      uint64 // waits that found a datagram
	Datagrams  uint64 // received
	ClockReads uint64 // by the loop; the kernel's are not to be seen
	Arms       uint64 // of the timerfd
	Lost       uint64 // queries without a reply
}

// Less returns what was counted since before.
func (c Counts) Less(before Counts) Counts {
	return Counts{
		c.Waits - before.Waits, c.TimedWaits - before.TimedWaits, c.Wakes - before.Wakes, c.Datagrams - before.Datagrams,
		c.ClockReads - before.ClockReads, c.Arms - before.Arms, c.Lost - before.Lost,
	}
}

// ErrSilent means that no query at all was answered.
var ErrSilent = errors.New("no reply")

// A kernel is what a loop needs of the operating system: one connected socket, and a way to wait for it.
type kernel interface {
	// wait has no timeout where that is negative.
	wait(timeout time.Duration) (readable, timer bool, err error)
	// receive returns errDry where nothing is left, and errRefused where nobody listens.
	receive() error
	send(query []byte) error
	arm(d time.Duration) error
	close() error
}

var (
	errDry     = errors.New("nothing is left")
	errRefused = errors.New("nobody listens")
)

// A Loop asks and receives until EAGAIN. One goroutine uses it.
type Loop struct {
	Counts

	cfg    Config
	kernel kernel
	clock  func() ioevent.Time
	now    ioevent.Time
	armed  ioevent.Time
	sent   []ioevent.Time // when those outstanding were, a ring
	oldest int            // in sent
	out    int            // outstanding
	left   int            // to be sent
	looks  int            // that found nothing, since the clock was read
}

// looksARead is how many looks of a polling loop share a read of the clock: those of ioevent's poller spin.
const looksARead = 64

// Open opens a loop's socket. The error matches errors.ErrUnsupported where there is no such way to wait.
func Open(c Config) (*Loop, error) {
	if !c.valid() || c.Manner == Bare {
		return nil, fmt.Errorf("no loop waits by %v", c.Way)
	}
	k, err := openKernel(c.Way, c.Server)
	if err != nil {
		return nil, err
	}
	return newLoop(c, k, ioevent.Now), nil
}

func newLoop(c Config, k kernel, clock func() ioevent.Time) *Loop {
	return &Loop{cfg: c, kernel: k, clock: clock, armed: ioevent.Never, sent: make([]ioevent.Time, c.Outstanding)}
}

// Close closes its descriptors.
func (l *Loop) Close() error { return l.kernel.close() }

// Run makes n queries and returns when each has been answered or is lost. It gives up with ErrSilent where none at all is answered.
func (l *Loop) Run(n int) error {
	const most = 2 // tries of all that is outstanding
	before := l.Counts
	l.left = n
	l.readClock()
	err := l.fill()
	for err == nil && l.out > 0 {
		if d := l.Less(before); d.Datagrams == 0 && d.Lost >= uint64(most*l.cfg.Outstanding) {
			break
		}
		err = l.turn()
	}
	if err == nil && l.Datagrams == before.Datagrams && n > 0 {
		err = ErrSilent
	}
	return err
}

// turn is one wait and what it brings.
func (l *Loop) turn() error {
	timeout, err := l.timeout()
	if err != nil {
		return err
	}
	readable, timer, err := l.kernel.wait(timeout)
	if err != nil {
		return err
	}
	l.Waits++
	if timeout > 0 {
		l.TimedWaits++
	}
	if timer {
		l.armed = ioevent.Never
	}
	if l.looks++; !readable && timeout == 0 && l.looks < looksARead {
		return nil
	}
	l.readClock()
	if readable {
		if err := l.drain(); err != nil {
			return err
		}
	}
	l.expire()
	return l.fill()
}

func (l *Loop) readClock() {
	l.ClockReads++
	l.now, l.looks = l.clock(), 0
}

// timeout is that of the next wait. A timerfd is armed only for a deadline before the one that it is armed for: each later one when that has come.
func (l *Loop) timeout() (time.Duration, error) {
	deadline := l.deadline()
	switch l.cfg.Manner {
	case Polling:
		return 0, nil
	case Timeout:
		return max(time.Duration(deadline-l.now), 1), nil
	}
	if deadline >= l.armed {
		return -1, nil
	}
	l.armed = deadline
	l.Arms++
	return -1, l.kernel.arm(max(time.Duration(deadline-l.now), 1))
}

func (l *Loop) deadline() ioevent.Time { return l.sent[l.oldest] + ioevent.Time(l.cfg.Try) }

// drain receives until nothing is left.
func (l *Loop) drain() error {
	before := l.Datagrams
	for {
		switch err := l.kernel.receive(); err {
		case nil:
			l.Datagrams++
			l.done()
		case errRefused:
			l.Lost++
			l.done()
		case errDry:
			if l.Datagrams > before {
				l.Wakes++
			}
			return nil
		default:
			return err
		}
	}
}

// done ends the oldest query: which one was answered makes no difference to the figures.
func (l *Loop) done() {
	if l.out > 0 { // else one that was given up has been answered
		l.out--
		l.oldest = (l.oldest + 1) % len(l.sent)
	}
}

// expire gives up those whose deadline has come.
func (l *Loop) expire() {
	for l.out > 0 && l.deadline() <= l.now {
		l.Lost++
		l.done()
	}
}

// fill sends until as many as wanted are outstanding.
func (l *Loop) fill() error {
	for l.out < len(l.sent) && l.left > 0 {
		l.left--
		if err := l.kernel.send(l.cfg.Query); err == errRefused {
			l.Lost++
			continue
		} else if err != nil {
			return err
		}
		l.sent[(l.oldest+l.out)%len(l.sent)] = l.now
		l.out++
	}
	return nil
}
