package main

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/ioevent"
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
	c.work = w
	for i := range c.queries {
		c.next(&c.queries[i])
	}
	if c.out == 0 {
		return nil
	}
	return c.engine.Run()
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

// resolverClient is what the others share.
type resolverClient struct{ *resolver.Resolver }

func (c resolverClient) stats() resolver.Stats { return c.Stats() }

func (c resolverClient) close() error { return c.Close() }

// submitClient submits again in Done.
type submitClient struct {
	resolverClient
	queries []resolver.Query
	work    *work
	out     sync.WaitGroup
}

func newSubmitClient(cfg resolver.Config, outstanding int) (client, error) {
	r, err := resolver.New(cfg)
	if err != nil {
		return nil, err
	}
	c := &submitClient{resolverClient: resolverClient{r}}
	c.queries = newQueries(outstanding, c.done)
	return c, nil
}

func (c *submitClient) run(w *work) error {
	c.work = w
	c.out.Add(len(c.queries))
	for i := range c.queries {
		c.next(&c.queries[i])
	}
	c.out.Wait()
	return nil
}

func (c *submitClient) next(q *resolver.Query) {
	name, ok := c.work.take()
	if !ok {
		c.out.Done()
		return
	}
	q.Name = name
	if err := c.Submit(q); err != nil {
		c.work.end(0, err)
		c.out.Done()
	}
}

func (c *submitClient) done(q *resolver.Query, r *resolver.Reply, err error) {
	c.work.end(tripOf(r), err)
	c.next(q)
}

// blockingClient has a goroutine for each query outstanding.
type blockingClient struct {
	resolverClient
	one        func(r *resolver.Resolver, name string) error
	goroutines int
}

func blockingClientFor(one func(*resolver.Resolver, string) error) func(resolver.Config, int) (client, error) {
	return func(cfg resolver.Config, outstanding int) (client, error) {
		r, err := resolver.New(cfg)
		if err != nil {
			return nil, err
		}
		return &blockingClient{resolverClient{r}, one, outstanding}, nil
	}
}

func exchangeOne(r *resolver.Resolver, name string) error {
	_, err := r.Exchange(context.Background(), resolver.Question{Name: name, Type: dns.TypeA})
	return err
}

func lookupOne(r *resolver.Resolver, name string) error {
	_, err := r.LookupNetIP(context.Background(), "ip4", name)
	if err == nil {
		return nil
	}
	for _, no := range []error{resolver.ErrNotFound, resolver.ErrNoData, resolver.ErrRcode} {
		if errors.Is(err, no) {
			return nil // a reply all the same
		}
	}
	return err
}

func (c *blockingClient) run(w *work) error {
	var all sync.WaitGroup
	for range c.goroutines {
		all.Go(func() { c.ask(w) })
	}
	all.Wait()
	return nil
}

// ask reads the clock once a query: a call begins when the one before has ended.
func (c *blockingClient) ask(w *work) {
	began := ioevent.Now()
	for name, ok := w.take(); ok; name, ok = w.take() {
		err := c.one(c.Resolver, name)
		now := ioevent.Now()
		w.end(time.Duration(now-began), err)
		began = now
	}
}
