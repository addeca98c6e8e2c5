package load

import (
	"container/heap"
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/resolver"
)

// fake is an engine in a time of its own: a script says what becomes of each query.
type fake struct {
	shard *shard
	now   Time
	// script is asked for each query as it is sent, the n-th of this engine, at a time since the start.
	script func(n int, at time.Duration) outcome
	// turn, if not nil, says how long the turn takes that begins at a time since the start, and its error.
	turn func(at time.Duration) (time.Duration, error)

	queue  []*resolver.Query
	coming events
	sends  []time.Duration // since the start
	stats  resolver.Stats
	order  int
	early  bool
	closed bool
}

// outcome is what becomes of a query.
type outcome struct {
	after time.Duration // its answer, or its error, or else the timeout comes
	err   error
	rcode uint16
	lost  bool // no answer comes
	late  bool // it comes, but nobody waits
}

type event struct {
	at    Time
	order int
	q     *resolver.Query // nil for a stray
	sent  Time
	err   error
	rcode uint16
}

type events []*event

func (e events) Len() int { return len(e) }
func (e events) Less(i, k int) bool {
	return e[i].at < e[k].at || e[i].at == e[k].at && e[i].order < e[k].order
}
func (e events) Swap(i, k int) { e[i], e[k] = e[k], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(*event)) }
func (e *events) Pop() any {
	old := *e
	x := old[len(old)-1]
	*e = old[:len(old)-1]
	return x
}

func (f *fake) Now() Time                      { return f.now }
func (f *fake) Stats() resolver.Stats          { return f.stats }
func (f *fake) Submit(q *resolver.Query) error { f.queue = append(f.queue, q); return nil }
func (f *fake) since() time.Duration           { return time.Duration(f.now - f.shard.start) }

func (f *fake) Turn(until Time) error {
	if f.turn != nil && f.now >= f.shard.start {
		d, err := f.turn(f.since())
		if err != nil {
			return err
		}
		f.now += Time(d)
	}
	for _, q := range f.queue {
		f.send(q)
	}
	f.queue = f.queue[:0]
	next := until
	if f.early = !f.early; f.early { // a turn may end before its time
		next = f.now + (until-f.now)/2
	}
	if len(f.coming) > 0 {
		next = min(next, f.coming[0].at)
	}
	f.now = max(f.now, next)
	for len(f.coming) > 0 && f.coming[0].at <= f.now {
		f.end(heap.Pop(&f.coming).(*event))
	}
	return nil
}

func (f *fake) send(q *resolver.Query) {
	o := f.script(len(f.sends), f.since())
	f.sends = append(f.sends, f.since())
	e := &event{at: f.now + Time(o.after), q: q, sent: f.now, err: o.err, rcode: o.rcode}
	if o.lost || o.late {
		e.at, e.err = f.now+Time(f.shard.plan.Timeout), resolver.ErrTimeout
	}
	f.push(e)
	if o.late {
		f.push(&event{at: f.now + Time(o.after), sent: f.now})
	}
}

func (f *fake) push(e *event) {
	f.order++
	e.order = f.order
	heap.Push(&f.coming, e)
}

func (f *fake) end(e *event) {
	if e.q == nil {
		f.shard.stray(&resolver.Stray{Kind: resolver.Late, RTT: f.now - e.sent})
		return
	}
	if e.err != nil {
		e.q.Done(e.q, nil, &resolver.Error{Err: e.err, Attempts: []resolver.Attempt{{RTT: f.now - e.sent}}})
		return
	}
	e.q.Done(e.q, &resolver.Reply{Msg: make([]byte, 50), Rcode: e.rcode, RTT: f.now - e.sent}, nil)
}

func (f *fake) Close() error {
	f.closed = true
	for _, e := range f.coming {
		if e.q != nil {
			e.q.Done(e.q, nil, &resolver.Error{Err: resolver.ErrClosed})
		}
	}
	for _, q := range f.queue {
		q.Done(q, nil, &resolver.Error{Err: resolver.ErrClosed})
	}
	return nil
}

// quick is the script of a server that answers after so long.
func quick(d time.Duration) func(int, time.Duration) outcome {
	return func(int, time.Duration) outcome { return outcome{after: d} }
}

// on runs p on fakes, one for each shard, which prepare sets up. It checks the accounts and returns what each sent.
func on(t *testing.T, p *Plan, prepare func(*fake)) (*result.Result, []*fake) {
	t.Helper()
	r, fakes, err := drive(t, context.Background(), p, prepare)
	if err != nil {
		t.Fatal(err)
	}
	return r, fakes
}

func drive(t *testing.T, ctx context.Context, p *Plan, prepare func(*fake)) (*result.Result, []*fake, error) {
	t.Helper()
	if len(p.Servers) == 0 {
		p.Servers = []Server{{Addr: netip.MustParseAddrPort("192.0.2.1:53")}}
	}
	if p.Set == nil {
		p.Set = list{}
	}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	run := newRun(p.prepared())
	fakes := make([]*fake, len(run.shards))
	for i, s := range run.shards {
		fakes[i] = &fake{shard: s, script: quick(time.Millisecond)}
		prepare(fakes[i])
	}
	run.open = func(s *shard) (engine, error) { return fakes[s.index], nil }
	r, err := run.make(ctx)
	if r != nil {
		balanced(t, r)
	}
	for _, f := range fakes {
		if !f.closed {
			t.Error("an engine was left open")
		}
	}
	return r, fakes, err
}

// balanced checks the accounts, and that what is told by the second adds up to them.
func balanced(t *testing.T, r *result.Result) {
	t.Helper()
	if sum := r.Sent + r.Unsent.Behind + r.Unsent.Window; r.Planned != sum {
		t.Errorf("planned %d, sent and unsent %d", r.Planned, sum)
	}
	if sum := r.Completed + r.Lost.Total() + r.Interrupted; r.Sent != sum {
		t.Errorf("sent %d; completed, lost and interrupted %d (%+v)", r.Sent, sum, r)
	}
	var sent, completed, lost, unsent, typed, answered uint64
	for _, s := range r.BySecond {
		if s.At >= 0 {
			sent, completed, lost, unsent = sent+s.Sent, completed+s.Completed, lost+s.Lost, unsent+s.Unsent
		}
	}
	if sent != r.Sent || completed != r.Completed || lost != r.Lost.Total() || unsent != r.Planned-r.Sent {
		t.Errorf("by second: sent %d completed %d lost %d unsent %d; the result has %+v", sent, completed, lost, unsent, r)
	}
	for _, row := range r.Types {
		typed += row.Sent
		for _, n := range row.Rcodes {
			answered += n
		}
	}
	if typed != r.Sent || answered != r.Completed {
		t.Errorf("by type: sent %d answered %d; the result has %d and %d", typed, answered, r.Sent, r.Completed)
	}
	var target, shard uint64
	for _, x := range r.Targets {
		target += x.Sent
	}
	for _, x := range r.Shards {
		shard += x.Sent
	}
	if target != r.Sent || shard != r.Sent {
		t.Errorf("targets sent %d, shards %d of %d", target, shard, r.Sent)
	}
	if r.Response.Count != r.Completed || r.Service.Count != r.Completed {
		t.Errorf("%d response and %d service times of %d answers", r.Response.Count, r.Service.Count, r.Completed)
	}
}
