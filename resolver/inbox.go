package resolver

import (
	"sync"
	"sync/atomic"
)

// inbox is where other goroutines leave queries, and now and then a function, for a shard. Queries come in without a lock: they are links of a list.
type inbox struct {
	head   atomic.Pointer[Query] // the newest; &end once closed
	end    Query
	asked  atomic.Bool // there are calls
	mu     sync.Mutex
	calls  []func()
	closed bool // no more calls
}

// put adds a list of queries, linked from the newest to the oldest, and reports false where the inbox is closed.
func (b *inbox) put(newest, oldest *Query) bool {
	for {
		old := b.head.Load()
		if old == &b.end {
			return false
		}
		oldest.next = old
		if b.head.CompareAndSwap(old, newest) {
			return true
		}
	}
}

// take empties the inbox and returns its queries, the oldest first.
func (b *inbox) take() *Query {
	if b.head.Load() == nil {
		return nil
	}
	return oldestFirst(b.head.Swap(nil))
}

// queries reports whether there are queries, and waiting whether there is anything.
func (b *inbox) queries() bool { return b.head.Load() != nil }
func (b *inbox) waiting() bool { return b.queries() || b.asked.Load() }

// close takes what is left and refuses what comes.
func (b *inbox) close() (*Query, []func()) {
	b.mu.Lock()
	b.closed = true
	calls := b.calls
	b.calls = nil
	b.mu.Unlock()
	return oldestFirst(b.head.Swap(&b.end)), calls
}

func oldestFirst(q *Query) (first *Query) {
	for q != nil {
		q.next, first, q = first, q, q.next
	}
	return first
}

// call adds a function to run on the shard's goroutine and reports false where the inbox is closed.
func (b *inbox) call(f func()) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.calls = append(b.calls, f)
	b.asked.Store(true)
	return true
}

// takeCalls returns the functions to run.
func (b *inbox) takeCalls() []func() {
	if !b.asked.Load() {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked.Store(false)
	calls := b.calls
	b.calls = nil
	return calls
}

// each yields the queries of a list, which may be reused once yielded.
func (q *Query) each(yield func(*Query) bool) {
	for q != nil {
		next := q.next
		q.next = nil
		if !yield(q) {
			return
		}
		q = next
	}
}
