package wait

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/ioevent"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// script is a kernel that does what a test says: each wait takes a millisecond, and brings so many datagrams.
type script struct {
	now      ioevent.Time
	replies  []int // for each wait; none behind the last
	timeouts []time.Duration
	armed    []time.Duration
	due      ioevent.Time // of the timer
	sent     int
	ready    int
	refuse   error
	fail     error // of wait
}

func (s *script) clock() ioevent.Time { return s.now }

func (s *script) wait(timeout time.Duration) (readable, timer bool, err error) {
	s.timeouts = append(s.timeouts, timeout)
	s.now += ioevent.Time(time.Millisecond)
	if len(s.replies) > 0 {
		s.ready, s.replies = s.replies[0], s.replies[1:]
	} else if timeout > 0 {
		s.now += ioevent.Time(timeout) // nothing comes
	} else if timeout < 0 {
		s.now = max(s.now, s.due)
	}
	if timer = s.due > 0 && s.now >= s.due; timer {
		s.due = 0
	}
	return s.ready > 0 || s.refuse != nil, timer, s.fail
}

func (s *script) receive() error {
	if err := s.refuse; err != nil {
		s.refuse = nil
		return err
	}
	if s.ready == 0 {
		return errDry
	}
	s.ready--
	return nil
}

func (s *script) send([]byte) error {
	s.sent++
	return s.refuse
}

func (s *script) arm(d time.Duration) error {
	s.armed = append(s.armed, d)
	s.due = s.now + ioevent.Time(d)
	return nil
}

func (s *script) close() error { return nil }

const ms = time.Millisecond

// scripted is a loop on s.
func scripted(s *script, manner string, outstanding int) *Loop {
	s.now = ioevent.Time(time.Second)
	return newLoop(Config{Way: Way{"select", manner}, Outstanding: outstanding, Try: 100 * ms}, s, s.clock)
}

// All loops read the clock once a wake; only the one with timeouts has them, and the timerfd is armed for the first deadline alone.
func TestLoopCounts(t *testing.T) {
	for _, tt := range []struct {
		manner   string
		timeouts []time.Duration
		armed    []time.Duration
		want     Counts
	}{
		{Timeout, []time.Duration{100 * ms, 99 * ms, 100 * ms}, nil, Counts{Waits: 3, TimedWaits: 3, Wakes: 3, Datagrams: 5, ClockReads: 4}},
		{Timerfd, []time.Duration{-1, -1, -1}, []time.Duration{100 * ms}, Counts{Waits: 3, Wakes: 3, Datagrams: 5, ClockReads: 4, Arms: 1}},
		{Polling, []time.Duration{0, 0, 0}, nil, Counts{Waits: 3, Wakes: 3, Datagrams: 5, ClockReads: 4}},
	} {
		s := &script{replies: []int{1, 2, 2}}
		l := scripted(s, tt.manner, 2)
		if err := l.Run(5); err != nil {
			t.Errorf("%s: %v", tt.manner, err)
		}
		if l.Counts != tt.want || s.sent != 5 {
			t.Errorf("%s: %+v, %d sent, want %+v", tt.manner, l.Counts, s.sent, tt.want)
		}
		if diff := cmp.Diff([][]time.Duration{tt.timeouts, tt.armed}, [][]time.Duration{s.timeouts, s.armed}); diff != "" {
			t.Errorf("%s: timeouts and what was armed (-want +got):\n%s", tt.manner, diff)
		}
	}
}

// A query that is not answered is lost when its time has come, however that is noticed, and the next one is sent.
func TestLoopLost(t *testing.T) {
	for manner, want := range map[string]Counts{
		Timeout: {Waits: 3, TimedWaits: 3, Wakes: 1, Datagrams: 1, ClockReads: 4, Lost: 2},
		Timerfd: {Waits: 4, Wakes: 1, Datagrams: 1, ClockReads: 5, Lost: 2, Arms: 3}, // the timer of the first query comes while the second is out
		Polling: {Waits: 257, Wakes: 1, Datagrams: 1, ClockReads: 6, Lost: 2},        // a read each 64 looks of 1 ms, so that 128 ms go by
	} {
		s := &script{replies: []int{1}}
		l := scripted(s, manner, 1)
		if err := l.Run(3); err != nil || s.sent != 3 {
			t.Errorf("%s: %v, %d sent", manner, err, s.sent)
		}
		if l.Counts != want {
			t.Errorf("%s: %+v, want %+v", manner, l.Counts, want)
		}
	}
}

// Where nobody answers a loop gives up early.
func TestLoopSilent(t *testing.T) {
	for _, manner := range Manners() {
		s := &script{}
		if err := scripted(s, manner, 4).Run(1000); err != ErrSilent || s.sent > 12 {
			t.Errorf("%s: %v, %d sent", manner, err, s.sent)
		}
	}
	s := &script{refuse: errRefused}
	l := scripted(s, Timeout, 2)
	if err := l.Run(3); err != ErrSilent || l.Lost != 3 || s.sent != 3 || l.Waits != 0 {
		t.Errorf("nothing can be sent: %v, %+v", err, l.Counts)
	}
}

// What comes back from the socket ends a query, a stray datagram does not, and another error ends the loop.
func TestLoopErrors(t *testing.T) {
	s := &script{replies: []int{3, 0, 1}}
	l := scripted(s, Timeout, 1)
	if err := l.Run(2); err != nil || l.Datagrams != 4 || l.Lost != 0 {
		t.Errorf("strays: %v, %+v", err, l.Counts)
	}
	s = &script{replies: []int{0, 1}}
	l = scripted(s, Timeout, 2)
	l.left = 2
	l.readClock()
	if err := l.fill(); err != nil {
		t.Fatal(err)
	}
	s.refuse = errRefused
	for range 2 {
		if err := l.turn(); err != nil {
			t.Fatal(err)
		}
	}
	if l.Lost != 1 || l.Datagrams != 1 || l.Wakes != 1 || l.out != 0 {
		t.Errorf("refused: %+v, %d outstanding", l.Counts, l.out)
	}
	broken := errors.New("broken")
	for _, s := range []*script{{fail: broken}, {refuse: broken}} {
		if err := scripted(s, Timerfd, 1).Run(1); err != broken {
			t.Errorf("%v, want %v", err, broken)
		}
	}
}

func TestCountsLess(t *testing.T) {
	before, after := Counts{1, 2, 3, 4, 5, 6, 7}, Counts{11, 22, 33, 44, 55, 66, 77}
	if got, want := after.Less(before), (Counts{10, 20, 30, 40, 50, 60, 70}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestWays(t *testing.T) {
	var names []string
	for _, w := range Ways() {
		names = append(names, w.String())
		if want := map[string]int{"select/timeout": 3, "poll/timeout": 2, "epoll/timeout": 2}[w.String()]; w.KernelReads() != want {
			t.Errorf("%v: %d reads, want %d", w, w.KernelReads(), want)
		}
	}
	want := "select/timeout select/timerfd select/polling poll/timeout poll/timerfd poll/polling epoll/timeout epoll/timerfd epoll/polling"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, w := range []Way{{"select", Bare}, {"select", "x"}, {"kqueue", Timeout}} {
		if l, err := Open(Config{Way: w}); err == nil {
			l.Close()
			t.Errorf("%v: a loop", w)
		}
	}
	if r, err := OpenReady(Way{"kqueue", Bare}); err == nil {
		r.Close()
		t.Error("kqueue: a wait")
	}
}
