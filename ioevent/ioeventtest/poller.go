package ioeventtest

import (
	"slices"
	"sync"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// A Poller is a poller for tests, without descriptors: numbers serve as such. Its clock stands still until Advance, and nothing is ready until
// SetReady. The methods that are not those of ioevent.Poller may be called from any goroutine, also while Wait sleeps.
type Poller struct {
	edge    bool
	changed chan struct{} // what Wait sleeps on

	mu       sync.Mutex // over what follows
	counters *ioevent.Counters
	now      ioevent.Time
	armed    ioevent.Time
	woken    bool
	err      error
	files    map[int]*file
	order    []int // of Add: that in which events come
	extra    []ioevent.Event
	asleep   func() // what happens when Wait sleeps, once
	calls    Calls
}

type file struct {
	token   ioevent.Token
	in      ioevent.Interest
	ready   ioevent.Interest
	pending ioevent.Interest // under an edge trigger: not reported yet
}

// Calls counts the calls a Poller got.
type Calls struct {
	Add, Remove, Arm, Wake, Close int
	Wait                          int // all of them
	Block                         int // those that were to sleep
}

var _ ioevent.Poller = (*Poller)(nil)

// NewPoller makes a Poller that is edge-triggered or level-triggered. Its clock stands at one second.
func NewPoller(edge bool) *Poller {
	return &Poller{
		edge: edge, changed: make(chan struct{}, 1), now: ioevent.Time(time.Second), armed: ioevent.Never,
		files: make(map[int]*file), counters: new(ioevent.Counters),
	}
}

// Mechanism returns a table entry that opens p, for one Loop.
func (p *Poller) Mechanism() ioevent.Mechanism {
	open := func(c *ioevent.Counters) (ioevent.Poller, error) {
		p.counters = c
		return p, nil
	}
	return ioevent.Mechanism{Name: "fake", Edge: p.edge, Files: true, Probe: func() error { return nil }, Open: open}
}

// Now is the clock's time. It fits ioevent.Config.Clock.
func (p *Poller) Now() ioevent.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// Advance moves the clock on by d. A sleeping Wait whose armed time has come returns.
func (p *Poller) Advance(d time.Duration) {
	p.change(func() { p.now += ioevent.Time(d) })
}

// SetReady sets what fd is ready for, until the next call. Under an edge trigger each call is one change to ready. It may precede Add.
func (p *Poller) SetReady(fd int, ready ioevent.Interest) {
	p.change(func() {
		f := p.file(fd)
		f.ready, f.pending = ready, ready
	})
}

// SetReadyAsleep is SetReady for the moment the next blocking Wait begins to sleep.
func (p *Poller) SetReadyAsleep(fd int, ready ioevent.Interest) {
	p.change(func() { p.asleep = func() { f := p.file(fd); f.ready, f.pending = ready, ready } })
}

// Inject has the next Wait return ev as it is, whatever is watched.
func (p *Poller) Inject(ev ioevent.Event) {
	p.change(func() { p.extra = append(p.extra, ev) })
}

// Fail has every Wait from now on return err.
func (p *Poller) Fail(err error) {
	p.change(func() { p.err = err })
}

// Calls returns what was called so far.
func (p *Poller) Calls() Calls {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls
}

// Armed returns the time that Arm was last called with, Never once that has come and Wait has told.
func (p *Poller) Armed() ioevent.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.armed
}

// Add implements ioevent.Poller.
func (p *Poller) Add(fd int, tok ioevent.Token, in ioevent.Interest) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls.Add++
	p.counters.Syscalls++
	f := p.file(fd)
	f.token, f.in, f.pending = tok, in, f.ready
	if !slices.Contains(p.order, fd) {
		p.order = append(p.order, fd)
	}
	return nil
}

// Remove implements ioevent.Poller.
func (p *Poller) Remove(fd int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls.Remove++
	p.counters.Syscalls++
	delete(p.files, fd)
	p.order = slices.DeleteFunc(p.order, func(other int) bool { return other == fd })
	return nil
}

// Arm implements ioevent.Poller.
func (p *Poller) Arm(at ioevent.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls.Arm++
	p.counters.Syscalls++
	p.armed = at
	return nil
}

// Wake implements ioevent.Poller.
func (p *Poller) Wake() error {
	p.change(func() {
		p.calls.Wake++
		p.woken = true
	})
	return nil
}

// Close implements ioevent.Poller.
func (p *Poller) Close() error {
	p.change(func() { p.calls.Close++ })
	return nil
}

// Wait implements ioevent.Poller. Its sleep counts as idle in a testing/synctest bubble, if p was made there.
func (p *Poller) Wait(evs []ioevent.Event, block bool) (int, error) {
	p.change(func() { p.countWait(block) })
	for {
		n, over, err := p.look(evs)
		if over || !block {
			return n, err
		}
		<-p.changed
	}
}

func (p *Poller) countWait(block bool) {
	p.calls.Wait++
	p.counters.Syscalls++
	if !block {
		return
	}
	p.calls.Block++
	if p.asleep != nil {
		p.asleep()
		p.asleep = nil
	}
}

// look collects what has come; over if a blocking Wait has to return.
func (p *Poller) look(evs []ioevent.Event) (n int, over bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return 0, true, p.err
	}
	over = p.woken
	p.woken = false
	if p.armed <= p.now {
		p.armed, over = ioevent.Never, true
	}
	n = copy(evs, p.extra)
	p.extra = p.extra[n:]
	for _, fd := range p.order {
		if f := p.files[fd]; n < len(evs) && f.came(p.edge) != 0 {
			evs[n] = ioevent.Event{Token: f.token, Ready: f.came(p.edge)}
			f.pending = 0
			n++
		}
	}
	return n, over || n > 0, nil
}

func (f *file) came(edge bool) ioevent.Interest {
	if edge {
		return f.pending & (f.in | ioevent.Error)
	}
	return f.ready & (f.in | ioevent.Error)
}

func (p *Poller) file(fd int) *file {
	if p.files[fd] == nil {
		p.files[fd] = new(file)
	}
	return p.files[fd]
}

// change does what under the lock and has a sleeping Wait look again.
func (p *Poller) change(what func()) {
	p.mu.Lock()
	what()
	p.mu.Unlock()
	select {
	case p.changed <- struct{}{}:
	default:
	}
}
