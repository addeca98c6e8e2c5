package main

import (
	"runtime"
	"strings"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/resolver"
)

// client asks by one of the library's ways in.
type client interface {
	// run makes all queries of w and returns when each has ended.
	run(w *work) error
	stats() resolver.Stats
	close() error
}

// api is a way into the library.
type api struct {
	name  string
	start func(cfg resolver.Config, outstanding int) (client, error)
}

// apis is the table of those that can be measured.
func apis() []api {
	return []api{
		{"engine", newEngineClient},
		{"submit", newSubmitClient},
		{"exchange", blockingClientFor(exchangeOne)},
		{"lookup", blockingClientFor(lookupOne)},
	}
}

func apiNames() (list []string) {
	for _, a := range apis() {
		list = append(list, a.name)
	}
	return list
}

func apiNamed(name string) (api, error) {
	for _, a := range apis() {
		if a.name == name {
			return a, nil
		}
	}
	return api{}, usagef("--api %s: there is no such way in; there are: %s", name, strings.Join(apiNames(), " "))
}

// firstBurst is how many queries are begun at once. Then each that ends begins one more, until all are in flight: nothing could
// take a million at once.
const firstBurst = 4096

// newQueries returns queries that end in done.
func newQueries(n int, done func(*resolver.Query, *resolver.Reply, error)) []resolver.Query {
	queries := make([]resolver.Query, n)
	for i := range queries {
		queries[i] = resolver.Query{Question: resolver.Question{Type: dns.TypeA}, Done: done}
	}
	return queries
}

// engineClient drives an Engine on one thread.
type engineClient struct {
	engine  *resolver.Engine
	queries []resolver.Query
	work    *work
	begun   int // of queries
	out     int // outstanding
}

func newEngineClient(cfg resolver.Config, outstanding int) (client, error) {
	e, err := resolver.NewEngine(cfg)
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	c := &engineClient{engine: e}
	c.queries = newQueries(outstanding, c.done)
	return c, nil
}

func (c *engineClient) run(w *work) error {
	c.work, c.begun = w, 0
	for c.begun < min(len(c.queries), firstBurst) {
		c.begin()
	}
	if c.out == 0 {
		return nil
	}
	return c.engine.Run()
}

func (c *engineClient) begin() {
	c.begun++
	c.next(&c.queries[c.begun-1])
}

func (c *engineClient) next(q *resolver.Query) {
	name, ok := c.work.take()
	if !ok {
		return
	}
	q.Name = name
	if err := c.engine.Submit(q); err != nil {
		c.work.end(0, err)
		return
	}
	c.out++
}

func (c *engineClient) done(q *resolver.Query, r *resolver.Reply, err error) {
	c.out--
	c.work.end(tripOf(r), err)
	c.next(q)
	if c.begun < len(c.queries) {
		c.begin()
	}
	if c.out == 0 {
		c.engine.Quit()
	}
}

// tripOf is by the loop's clock, read once a turn: no read of ours falsifies what is measured.
func tripOf(r *resolver.Reply) time.Duration {
	if r == nil {
		return 0
	}
	return time.Duration(r.RTT)
}

func (c *engineClient) stats() resolver.Stats { return c.engine.Stats() }

func (c *engineClient) close() error {
	runtime.UnlockOSThread()
	return c.engine.Close()
}
