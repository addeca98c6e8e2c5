package resolver

import (
	"context"
	"errors"
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
	w, err := r.start(ctx, &q, nil)
	if err != nil {
		return nil, err
	}
	return r.wait(ctx, w)
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
	done   chan<- *waiter // gets w once: own, or one that several share
	own    chan *waiter
}

func newWaiter() *waiter {
	w := &waiter{own: make(chan *waiter, 1)}
	w.done, w.q.Done, w.q.ours = w.own, w.finish, true
	return w
}

// finish runs as the query's Done.
func (w *waiter) finish(q *Query, r *Reply, err error) {
	if err == nil {
		w.answer = newAnswer(q, r)
	}
	w.err = err
	w.done <- w
}

// start submits a copy of q. The waiter is reported to done, or to its own channel where that is nil.
func (r *Resolver) start(ctx context.Context, q *Query, done chan<- *waiter) (*waiter, error) {
	if err := ctx.Err(); err != nil {
		return nil, &Error{Op: "exchange", Name: q.Name, Type: q.Type, Err: reason(err)}
	}
	for _, s := range r.shards {
		if s.mine() {
			return nil, errInsideDone
		}
	}
	w := r.waiters.Get().(*waiter)
	if w.done = w.own; done != nil {
		w.done = done
	}
	w.q.Question, w.q.Flags, w.q.UDPSize, w.q.Raw, w.q.Servers = q.Question, q.Flags, q.UDPSize, q.Raw, q.Servers
	w.q.Deadline = earlier(ctx, q.Deadline)
	if err := r.Submit(&w.q); err != nil {
		r.waiters.Put(w)
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

// wait returns what became of w. The context's end cancels it; its Done comes all the same.
func (r *Resolver) wait(ctx context.Context, w *waiter) (*Answer, error) {
	select {
	case <-w.own:
	case <-ctx.Done():
		r.Cancel(&w.q)
		<-w.own
	}
	return r.result(ctx, w)
}

// result takes the result out of a waiter that is done, and the waiter back.
func (r *Resolver) result(ctx context.Context, w *waiter) (*Answer, error) {
	answer, err := w.answer, w.err
	if ctx.Err() != nil && errors.Is(err, ErrCanceled) {
		err.(*Error).Err = reason(ctx.Err())
	}
	w.answer, w.err, w.q.Raw, w.q.Servers = nil, nil, nil, nil
	r.waiters.Put(w)
	return answer, err
}

// reason says why a context ended.
func reason(ctxErr error) error {
	if errors.Is(ctxErr, context.DeadlineExceeded) {
		return ErrTimeout
	}
	return ErrCanceled
}
