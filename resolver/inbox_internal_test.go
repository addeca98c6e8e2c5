package resolver

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// TestInboxLosesNothing: many goroutines put while one takes and then closes; what was accepted comes out, once.
func TestInboxLosesNothing(t *testing.T) {
	var b inbox
	var accepted, refused atomic.Int64
	var wg sync.WaitGroup
	const putters, each = 8, 5000
	for range putters {
		wg.Go(func() {
			for left := each; left > 0; {
				n := min(left, 1+left%3)
				if b.put(chain(n)) {
					accepted.Add(int64(n))
				} else {
					refused.Add(int64(n))
				}
				left -= n
			}
		})
	}
	seen := map[*Query]bool{}
	collect := func(list *Query) {
		for q := range list.each {
			if seen[q] || q.next != nil {
				t.Fatalf("query %p came twice or with its link", q)
			}
			seen[q] = true
		}
	}
	for len(seen) < putters*each/2 {
		collect(b.take())
		runtime.Gosched() // where there is one thread only
	}
	left, _ := b.close()
	collect(left)
	wg.Wait()
	if int64(len(seen)) != accepted.Load() || accepted.Load()+refused.Load() != putters*each {
		t.Errorf("%d came out, %d were accepted, %d refused", len(seen), accepted.Load(), refused.Load())
	}
	if b.put(chain(1)) || b.call(func() {}) {
		t.Error("a closed inbox takes more")
	}
}

// chain returns n queries as put takes them.
func chain(n int) (newest, oldest *Query) {
	oldest = new(Query)
	newest = oldest
	for range n - 1 {
		newest = &Query{next: newest}
	}
	return newest, oldest
}

func TestInboxKeepsOrder(t *testing.T) {
	var b inbox
	var put []*Query
	for range 10 {
		q := new(Query)
		put = append(put, q)
		b.put(q, q)
	}
	i := 0
	for q := range b.take().each {
		if q != put[i] {
			t.Fatalf("query %d is out of order", i)
		}
		i++
	}
	if i != len(put) {
		t.Errorf("%d came out, want %d", i, len(put))
	}
}
