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
			for range each {
				if b.put(new(Query)) {
					accepted.Add(1)
				} else {
					refused.Add(1)
				}
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
	if b.put(new(Query)) || b.call(func() {}) {
		t.Error("a closed inbox takes more")
	}
}

func TestInboxKeepsOrder(t *testing.T) {
	var b inbox
	var put []*Query
	for range 10 {
		q := new(Query)
		put = append(put, q)
		b.put(q)
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
