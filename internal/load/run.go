package load

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/internal/machine"
	"github.com/dnsq/dnsq/ioevent"
)

// Run makes the run that p plans. When ctx ends it stops at once. The result is whole then too, as it is where the error is that of an engine that gave up; any
// other error says why there could be no run. Version, Command and Host of the result are the caller's to fill in.
func Run(ctx context.Context, p *Plan) (*result.Result, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	d := p.prepared()
	if err := d.choose(); err != nil {
		return nil, err
	}
	return newRun(d).make(ctx)
}

// A run is a plan on its way.
type run struct {
	plan      *Plan // with defaults, and the warm-up in its profile
	shards    []*shard
	post      *post
	pulse     *pulse
	collector *collector
	open      func(*shard) (engine, error)

	began     sync.Once
	start     time.Time
	user, sys time.Duration // used before the measured part, then in it
}

func newRun(p *Plan) *run {
	r := &run{plan: p, post: newPost(p.Open()), open: openEngine}
	r.pulse = newPulse(Time(p.Timeout), func() { r.began.Do(r.mark) })
	r.collector = newCollector(r.post, p.Threads, p.OnTick)
	for i := range p.Threads {
		r.shards = append(r.shards, newShard(p, i, r.post, r.pulse))
	}
	return r
}

// mark notes where the measured part begins.
func (r *run) mark() {
	r.start = time.Now()
	r.user, r.sys = machine.CPUTimes()
}

func (r *run) make(ctx context.Context) (*result.Result, error) {
	unhook := context.AfterFunc(ctx, func() { r.pulse.stop.Store(true) })
	defer unhook()
	defer makeRoom(len(r.shards))()
	go r.collector.run()
	err := r.drive()
	close(r.post.full)
	<-r.collector.done
	if errors.As(err, new(*openError)) {
		return nil, err
	}
	user, sys := machine.CPUTimes()
	r.user, r.sys = user-r.user, sys-r.sys
	return r.result(), err
}

// openError says why there could be no engine.
type openError struct{ err error }

func (e *openError) Error() string { return e.err.Error() }
func (e *openError) Unwrap() error { return e.err }

// headStart is what the shards have to get ready, from when all of them have an engine.
const headStart = Time(5 * time.Millisecond)

// drive has each shard do its part on a thread of its own, all from one instant on.
func (r *run) drive() error {
	opened := make(chan error, len(r.shards))
	start := make(chan Time, len(r.shards))
	ended := make(chan error, len(r.shards))
	for _, s := range r.shards {
		go func() { ended <- s.thread(r.open, opened, start) }()
	}
	var errs []error
	for range r.shards {
		errs = append(errs, <-opened)
	}
	at := ioevent.Now() + headStart
	if errors.Join(errs...) != nil {
		at = ioevent.Never
	}
	for range r.shards {
		start <- at
	}
	for range r.shards {
		errs = append(errs, <-ended)
	}
	return errors.Join(errs...)
}

// thread is a shard's life on its thread.
func (s *shard) thread(open func(*shard) (engine, error), opened chan<- error, start <-chan Time) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	e, err := open(s)
	if err != nil {
		opened <- &openError{err}
		<-start
		return nil
	}
	s.engine = e
	opened <- nil
	at := <-start
	if at == ioevent.Never {
		return e.Close()
	}
	s.begin(at)
	if err := s.run(); err != nil {
		return fmt.Errorf("shard %d: %w", s.index, err)
	}
	return nil
}
