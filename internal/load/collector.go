package load

import "github.com/dnsq/dnsq/internal/load/result"

// A collector adds up what the shards count, on one goroutine.
type collector struct {
	post    *post
	onTick  func(*result.Tick)
	totals  []*result.Tick       // by shard, of the measured part
	open    map[int]*result.Tick // seconds that not all shards have told of
	told    map[int]int          // how many have
	next    int                  // the second to be told next
	started bool
	seconds []result.Second
	done    chan struct{}
}

func newCollector(post *post, shards int, onTick func(*result.Tick)) *collector {
	c := &collector{post: post, onTick: onTick, open: make(map[int]*result.Tick), told: make(map[int]int), done: make(chan struct{})}
	for i := range shards {
		c.totals = append(c.totals, result.NewTick(i, 0))
	}
	return c
}

// run collects until the post is closed.
func (c *collector) run() {
	defer close(c.done)
	for t := range c.post.full {
		c.take(t)
	}
	for len(c.open) > 0 { // of shards that took longer than others
		c.tell(c.open[c.next])
	}
}

// take adds up one tick. All shards begin with the same second, and leave none out.
func (c *collector) take(t *result.Tick) {
	if !c.started {
		c.started, c.next = true, t.At
	}
	if t.At >= 0 {
		total := c.totals[t.Shard]
		at := total.At
		total.Add(t)
		total.At = at
	}
	sum := c.open[t.At]
	if sum == nil {
		sum = result.NewTick(0, t.At)
		c.open[t.At] = sum
	}
	sum.Add(t)
	c.told[t.At]++
	c.post.takeBack(t)
	for c.told[c.next] == len(c.totals) {
		c.tell(c.open[c.next])
	}
}

// tell is done with the next second.
func (c *collector) tell(sum *result.Tick) {
	c.seconds = append(c.seconds, sum.Second())
	if c.onTick != nil {
		c.onTick(sum)
	}
	delete(c.open, c.next)
	delete(c.told, c.next)
	c.next++
}
