package resolver

import (
	"context"
	"errors"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/ioevent"
)

// errInsideDone is what a blocking call inside a Done gets: it would wait for itself.
var errInsideDone = errors.New("resolver: blocking call inside Done; use Submit")

// Exchange asks question and returns what the servers answered, whatever the response code: NXDOMAIN is an Answer, not an error. It returns by the
// context's deadline. An error is an *Error, or says what is wrong with the question.
func (r *Resolver) Exchange(ctx context.Context, question Question) (*Answer, error) {
	return r.ExchangeQuery(ctx, Query{Question: question})
}

// ExchangeQuery is Exchange for a query with flags, servers or a message of its own. Done is not used; a Deadline holds besides the context's.
func (r *Resolver) ExchangeQuery(ctx context.Context, q Query) (*Answer, error) {
	w, err := r.prepare(ctx, &q)
	if err != nil {
		return nil, err
	}
	if _, err := r.ask(ctx, w); err != nil {
		r.release(w)
		return nil, err
	}
	r.wait(ctx, w)
	defer r.release(w)
	return w.answer, w.err
}

// ExchangeMsg sends m, which has one question, as it is but for the ID, and returns the reply with m's ID.
func (r *Resolver) ExchangeMsg(ctx context.Context, m *dns.Msg) (*dns.Msg, error) {
	raw, err := m.Pack()
	if err != nil {
		return nil, err
	}
	a, err := r.ExchangeQuery(ctx, Query{Raw: raw})
	if err != nil {
		return nil, err
	}
	reply, err := a.Msg()
	if err != nil {
		return nil, err
	}
	reply.Id = m.Id
	return reply, nil
}

// waiter is a query that a goroutine waits for.
type waiter struct {
	q      Query
	answer *Answer
	err    error
	done   chan struct{} // gets one token each time
	shard  *shard        // whose callers count its goroutine, or nil
	round  uint32        // the query's, for a cancellation of this use

	// Of a lookup of addresses:
	lookup bool
	addrs  []netip.Addr
	other  *waiter // asks for the other family, or nil
}

func newWaiter() *waiter {
	w := &waiter{done: make(chan struct{}, 1)}
	w.q.Done, w.q.round = w.finish, waited
	return w
}

// finish runs as the query's Done.
func (w *waiter) finish(q *Query, r *Reply, err error) {
	if w.err = err; err == nil {
		w.answer = newAnswer(q, r)
		if w.lookup {
			w.look()
		}
	}
	w.done <- struct{}{}
}

// prepare returns a waiter for a copy of q.
func (r *Resolver) prepare(ctx context.Context, q *Query) (*waiter, error) {
	if err := ctx.Err(); err != nil {
		return nil, &Error{Op: "exchange", Name: q.Name, Type: q.Type, Err: reason(err)}
	}
	for _, s := range r.shards {
		if s.mine() {
			return nil, errInsideDone
		}
	}
	w := r.waiters.Get().(*waiter)
	w.round = atomic.LoadUint32(&w.q.round)
	w.q.Question, w.q.Flags, w.q.UDPSize, w.q.Raw, w.q.Servers = q.Question, q.Flags, q.UDPSize, q.Raw, q.Servers
	w.q.Deadline = earlier(ctx, q.Deadline)
	if err := r.check(&w.q); err != nil {
		r.release(w)
		return nil, err
	}
	return w, nil
}

// earlier returns the context's deadline or the one given, where 0 is none.
func earlier(ctx context.Context, deadline Time) Time {
	at, ok := ctx.Deadline()
	if !ok {
		return deadline
	}
	end := ioevent.Now() + Time(time.Until(at))
	if deadline != 0 {
		end = min(end, deadline)
	}
	return end
}

// wait waits until w is done. The context's end cancels it; its Done comes all the same.
func (r *Resolver) wait(ctx context.Context, w *waiter) {
	if ctx.Done() == nil {
		<-w.done // costs less than a select
		return
	}
	select {
	case <-w.done:
	case <-ctx.Done():
		r.cancel(&w.q, w.round)
		<-w.done
	}
	if ctx.Err() != nil && errors.Is(w.err, ErrCanceled) {
		w.err.(*Error).Err = reason(ctx.Err())
	}
}

// release takes back a waiter that is done, or was never submitted.
func (r *Resolver) release(w *waiter) {
	w.answer, w.err, w.q.Raw, w.q.Servers = nil, nil, nil, nil
	w.lookup, w.addrs, w.other = false, nil, nil
	if w.shard != nil {
		w.shard.callers.Add(-1)
		w.shard = nil
	}
	r.waiters.Put(w)
}

// reason says why a context ended.
func reason(ctxErr error) error {
	if errors.Is(ctxErr, context.DeadlineExceeded) {
		return ErrTimeout
	}
	return ErrCanceled
}
