package resolver

import (
	"runtime"
	"sync/atomic"
)

// shard is an engine on a loop of its own, fed through an inbox, with a goroutine of its own that turns it unless one that waits does.
type shard struct {
	engine    *Engine
	inbox     inbox
	baton     baton
	spin      spinner // the leader's
	alarm     alarm
	stay      int          // how often the goroutine goes on though nothing is left to do
	callers   atomic.Int32 // goroutines in a blocking call
	completed uint64       // by the engine, when the goroutine last let others run
	wake      func()       // ends the loop's sleep
	inFlight  atomic.Int64 // counted where queries come in, so that Submit can refuse at once
	busy      atomic.Uint64
	userCode  atomic.Bool // the user's Done may be running
	goroutine [32]byte    // whose label it is
	ready     chan struct{}
	ended     chan struct{}
	bell      chan struct{} // rings when there are calls
	final     Stats         // once ended
	err       error         // why the loop ended, nil for Close
}

func newShard(cfg Config) (*shard, error) {
	e, err := NewEngine(cfg)
	if err != nil {
		return nil, err
	}
	s := &shard{engine: e, baton: newBaton(), wake: e.loop.Wake, ready: make(chan struct{}), ended: make(chan struct{}), bell: make(chan struct{}, 1)}
	if e.cfg.Poller.Files { // elsewhere the answer comes by way of a goroutine, which needs the processor
		s.spin.most = Time(e.cfg.Spin)
	}
	s.alarm.ring = func() { s.baton.call() }
	e.shard = s
	go s.run()
	<-s.ready
	return s, nil
}

func (s *shard) run() {
	defer close(s.ended)
	s.goroutine = goroutineLabel()
	close(s.ready)
	s.turns()
	s.alarm.stop()
	s.engine.Close() // does nothing unless the loop failed
	left, calls := s.inbox.close()
	for q := range left.each {
		s.refuse(q, ErrClosed)
	}
	for _, f := range calls {
		f()
	}
	s.final = s.engine.Stats()
}

// tick takes what came in, then sends and delivers. Calls are taken before queries, so that a Cancel finds the query it is for.
func (s *shard) tick(now Time) (more bool) {
	calls := s.inbox.takeCalls()
	for q := range s.inbox.take().each {
		if err := s.engine.Submit(q); err != nil {
			s.refuse(q, err)
		}
	}
	for _, f := range calls {
		f()
	}
	more = s.engine.turn(s.engine.fresh(now))
	if s.over() {
		s.engine.loop.Quit()
	} else {
		s.letRun()
	}
	return more
}

// letRun lets those run whom a Done has made ready, before the loop sleeps in a system call that keeps the processor from them: what they submit leaves
// with one flush.
func (s *shard) letRun() {
	if n := s.engine.stats.Completed; s.completed != n {
		s.completed = n
		runtime.Gosched()
	}
}

// answer runs what was asked of the shard.
func (s *shard) answer() {
	for _, f := range s.inbox.takeCalls() {
		f()
	}
}

// refuse completes a query that Resolver.Submit took and the engine did not.
func (s *shard) refuse(q *Query, why error) {
	s.completes(q)
	s.engine.call(q, nil, &Error{Op: "exchange", Name: q.Name, Type: q.Type, Err: why})
	s.left()
}

// completes and left are the brackets around a Done, which may be one of the user's, and around a series of them.
func (s *shard) completes(q *Query) (users bool) {
	users = atomic.AddUint32(&q.round, 2)&waited == 0
	s.inFlight.Add(-1)
	if users && !s.userCode.Load() {
		s.userCode.Store(true)
	}
	return users
}

func (s *shard) left() {
	if s.userCode.Load() {
		s.userCode.Store(false)
	}
}

// admit counts q in.
func (s *shard) admit(q *Query) error {
	if s.inFlight.Add(1) > int64(s.engine.cfg.MaxInFlight) {
		s.inFlight.Add(-1)
		s.busy.Add(1)
		return ErrBusy
	}
	q.engine = s.engine
	return nil
}

// submit leaves q in the inbox.
func (s *shard) submit(q *Query) error {
	if err := s.admit(q); err != nil {
		return err
	}
	if !s.inbox.put(q, q) {
		s.inFlight.Add(-1)
		return ErrClosed
	}
	s.rouse()
	return nil
}

// submitAll leaves qs in the inbox, or the first n that there is room for.
func (s *shard) submitAll(qs []*Query) (n int, err error) {
	for n < len(qs) && err == nil {
		if err = s.admit(qs[n]); err == nil {
			n++
		}
	}
	if n == 0 {
		return 0, err
	}
	for i := range n - 1 {
		qs[i+1].next = qs[i]
	}
	if !s.inbox.put(qs[n-1], qs[0]) {
		s.inFlight.Add(int64(-n))
		return 0, ErrClosed
	}
	s.rouse()
	return n, err
}

// rouse has what was left in the inbox looked at.
func (s *shard) rouse() {
	if s.baton.call() {
		s.wake()
	}
}

// do runs f on the shard's goroutine, later, and reports false where that has ended.
func (s *shard) do(f func()) bool {
	if !s.inbox.call(f) {
		return false
	}
	select {
	case s.bell <- struct{}{}:
	default:
	}
	s.rouse()
	return true
}

// mine reports whether the caller is inside a Done of this shard. It is cheap where no Done of the user's runs.
func (s *shard) mine() bool { return s.userCode.Load() && s.goroutine == goroutineLabel() }

// goroutineLabel is what a stack trace calls this goroutine. The runtime has no other name for it.
func goroutineLabel() (label [32]byte) {
	runtime.Stack(label[:], false)
	for i, c := range label {
		if c == '[' {
			clear(label[i:])
			break
		}
	}
	return label
}
