package resolver

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dnsq/dnsq/internal/wire"
)

// Resolver resolves from any goroutine. It is a number of shards, each an Engine on a goroutine of its own.
type Resolver struct {
	cfg     Config
	shards  []*shard
	closed  atomic.Bool
	waiters sync.Pool
}

// New makes a Resolver and starts its goroutines. The caller must Close it. The error names what is wrong in cfg or missing here.
func New(cfg Config) (*Resolver, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &Resolver{cfg: cfg}
	r.waiters.New = func() any { return newWaiter() }
	for range cfg.Shards {
		s, err := newShard(cfg)
		if err != nil {
			r.Close()
			return nil, err
		}
		r.shards = append(r.shards, s)
	}
	return r, nil
}

// Submit hands q to a shard, which calls q.Done exactly once, on its own goroutine. It takes no lock and does no I/O. After an error,
// ErrBusy, ErrClosed, ErrNoServers or one that names what is wrong with the question, there is no Done.
func (r *Resolver) Submit(q *Query) error {
	if err := r.check(q); err != nil {
		return err
	}
	return r.shards[rand.IntN(len(r.shards))].submit(q)
}

// SubmitAll is Submit for many: they go to one shard, which is woken once for all of them. It takes qs[:n], in their order; err is why qs[n] was not
// taken, and is nil where all were. Those behind it are the caller's still. It keeps nothing of qs itself.
func (r *Resolver) SubmitAll(qs []*Query) (n int, err error) {
	for n < len(qs) && err == nil {
		if err = r.check(qs[n]); err == nil {
			n++
		}
	}
	taken, refused := r.shards[rand.IntN(len(r.shards))].submitAll(qs[:n])
	if refused != nil {
		err = refused
	}
	return taken, err
}

// check reports what is wrong with q, the name included.
func (r *Resolver) check(q *Query) error {
	if r.closed.Load() {
		return ErrClosed
	}
	if err := q.check(&r.cfg); err != nil {
		return err
	}
	if q.Raw != nil {
		_, err := rawQuestion(q.Raw)
		return err
	}
	var name [wire.MaxName]byte
	_, err := wire.AppendName(name[:0], q.Name)
	return err
}

// Cancel asks that q end now: its Done is called with ErrCanceled unless it was on its way already. It may be called from any goroutine
// that knows q to be submitted, inside a Done too. It does not wait.
func (r *Resolver) Cancel(q *Query) { r.cancel(q, atomic.LoadUint32(&q.round)) }

// cancel is Cancel for one use of q, which may have ended.
func (r *Resolver) cancel(q *Query, round uint32) {
	if q.engine == nil || q.engine.shard == nil {
		return
	}
	s := q.engine.shard
	s.do(func() {
		if atomic.LoadUint32(&q.round) == round {
			s.engine.Cancel(q)
		}
	})
}

// Stats returns the counters of all shards together.
func (r *Resolver) Stats() Stats {
	var sum Stats
	for _, s := range r.shards {
		st := r.statsOf(s)
		st.Busy += s.busy.Load()
		sum.add(&st)
	}
	return sum
}

// statsOf returns one shard's counters, from its goroutine or from what it left behind.
func (r *Resolver) statsOf(s *shard) (st Stats) {
	if s.mine() {
		return s.engine.Stats()
	}
	got := make(chan struct{})
	asked := s.do(func() {
		st = s.engine.Stats()
		close(got)
	})
	if asked {
		r.await(got)
		return st
	}
	r.await(s.ended)
	return s.final
}

// await waits for done. Inside a Done it meanwhile runs what is asked of that one's shard, by a Done of another that may be waiting for it.
func (r *Resolver) await(done <-chan struct{}) {
	home := slices.IndexFunc(r.shards, (*shard).mine)
	if home < 0 {
		<-done
		return
	}
	for {
		select {
		case <-done:
			return
		case <-r.shards[home].bell:
			r.shards[home].answer()
		}
	}
}

// Backend names the mechanism that moves datagrams.
func (r *Resolver) Backend() string { return r.cfg.Backend.Name }

// Poller names the mechanism that waits for them.
func (r *Resolver) Poller() string { return r.cfg.Poller.Name }

// Close ends every query with ErrClosed and waits until each Done has returned and the goroutines have ended. Called inside a Done it does not wait
// for that one's shard. A second Close returns ErrClosed.
func (r *Resolver) Close() error {
	if r.closed.Swap(true) {
		return ErrClosed
	}
	for _, s := range r.shards {
		s.do(func() { s.engine.Close() })
	}
	var err error
	for _, s := range r.shards {
		if s.mine() {
			continue
		}
		r.await(s.ended)
		if s.err != nil {
			err = errors.Join(err, fmt.Errorf("resolver: poller %s: %w", r.cfg.Poller.Name, s.err))
		}
	}
	return err
}
