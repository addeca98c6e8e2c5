package main

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// resolverClient is what the ways in through a Resolver share.
type resolverClient struct{ *resolver.Resolver }

func (c resolverClient) stats() resolver.Stats { return c.Stats() }

func (c resolverClient) close() error { return c.Close() }

// submitClient submits again in Done.
type submitClient struct {
	resolverClient
	queries []resolver.Query
	work    *work
	begun   atomic.Int64 // of queries
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
	for range min(len(c.queries), firstBurst) {
		c.beginOne()
	}
	c.out.Wait()
	return nil
}

// beginOne begins one more query, if one is left.
func (c *submitClient) beginOne() {
	if i := int(c.begun.Add(1)) - 1; i < len(c.queries) {
		c.out.Add(1)
		c.next(&c.queries[i])
	}
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
	if c.begun.Load() < int64(len(c.queries)) {
		c.beginOne() // before q's own end, so that out does not come to nothing between
	}
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
