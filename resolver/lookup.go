package resolver

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"time"
)

// LookupNetIP returns the addresses of host, IPv4 first: A and AAAA are asked at once, or one of them where network is "ip4" or "ip6" instead of "ip".
// Host is taken as absolute; an address literal is returned as it is. Where one family fails and the other has addresses, those are returned. The error
// is an *Error, with ErrNotFound for a name that does not exist and ErrNoData for one without addresses.
func (r *Resolver) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	types, err := typesOf(network)
	if err != nil {
		return nil, err
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return literal(a, network)
	}
	l := lookup{r: r, done: make(chan *waiter, len(types))}
	for _, t := range types {
		w, err := r.start(ctx, &Query{Question: Question{Name: host, Type: t}}, l.done)
		if err != nil {
			l.errs = append(l.errs, err)
			break
		}
		l.waiters = append(l.waiters, w)
	}
	return l.collect(ctx)
}

// lookup is the two queries of one LookupNetIP.
type lookup struct {
	r        *Resolver
	waiters  []*waiter
	done     chan *waiter
	v4, v6   []netip.Addr
	errs     []error
	canceled error
}

// collect waits for all families, the later one no longer than one try's length once there is an address.
func (l *lookup) collect(ctx context.Context) ([]netip.Addr, error) {
	if len(l.errs) > 0 {
		l.cancel()
	}
	bound := time.NewTimer(time.Hour)
	defer bound.Stop()
	ended := ctx.Done()
	for left := len(l.waiters); left > 0; {
		select {
		case w := <-l.done:
			left--
			if l.take(ctx, w) {
				bound.Reset(l.r.cfg.Timeout)
			}
		case <-ended:
			ended = nil
			l.cancel()
		case <-bound.C:
			l.cancel()
		}
	}
	switch {
	case l.canceled != nil:
		return nil, asLookup(l.canceled)
	case len(l.v4)+len(l.v6) > 0:
		return append(l.v4, l.v6...), nil
	}
	return nil, asLookup(worst(l.errs))
}

// cancel ends what is still outstanding.
func (l *lookup) cancel() {
	for _, w := range l.waiters {
		if w != nil {
			l.r.Cancel(&w.q)
		}
	}
}

// take books the result of one family and reports whether it brought addresses.
func (l *lookup) take(ctx context.Context, w *waiter) bool {
	l.waiters[slices.Index(l.waiters, w)] = nil // the next lookup may have it
	typ := w.q.Type
	a, err := l.r.result(ctx, w)
	if ctx.Err() != nil && errors.Is(err, ErrCanceled) {
		l.canceled = err
	}
	var addrs []netip.Addr
	if err == nil {
		addrs, err = a.lookupResult()
	}
	l.errs = append(l.errs, err)
	if typ == typeA {
		l.v4 = addrs
	} else {
		l.v6 = addrs
	}
	return len(addrs) > 0
}

func typesOf(network string) ([]uint16, error) {
	switch network {
	case "ip":
		return []uint16{typeA, typeAAAA}, nil
	case "ip4":
		return []uint16{typeA}, nil
	case "ip6":
		return []uint16{typeAAAA}, nil
	}
	return nil, fmt.Errorf("resolver: network %s is not ip, ip4 or ip6", strconv.Quote(network))
}

func literal(a netip.Addr, network string) ([]netip.Addr, error) {
	if network == "ip4" && !a.Is4() || network == "ip6" && a.Is4() {
		return nil, &Error{Op: "lookup", Name: a.String(), Err: ErrNoData}
	}
	return []netip.Addr{a}, nil
}

// lookupResult reads the addresses out of a, or says why there are none.
func (a *Answer) lookupResult() ([]netip.Addr, error) {
	fail := func(why error) error {
		return &Error{Op: "lookup", Name: a.Question.Name, Type: a.Question.Type, Server: a.Server.String(), Attempts: a.Attempts, Err: why}
	}
	switch a.Rcode {
	case rcodeSuccess:
	case rcodeNXDomain:
		return nil, fail(ErrNotFound)
	default:
		return nil, fail(fmt.Errorf("%w: %s", ErrRcode, rcodeString(a.Rcode)))
	}
	addrs, _, err := a.Addrs()
	if err != nil {
		return nil, fail(err)
	}
	if len(addrs) == 0 {
		return nil, fail(a.noAddress())
	}
	return addrs, nil
}

// noAddress says what it means that there is no address in a: nothing about the name, where part of the answer is missing, or where the server
// neither knows nor would ask (golang/go#15434).
func (a *Answer) noAddress() error {
	switch {
	case a.Truncated:
		return fmt.Errorf("%w: truncated", ErrMalformed)
	case !a.Authoritative && !a.RecursionAvailable:
		return fmt.Errorf("%w: no recursion", ErrRcode)
	}
	return ErrNoData
}

// worst picks the error that says most: a failure before NODATA, and NODATA, which shows that the name exists, before NXDOMAIN.
func worst(errs []error) error {
	pick, rank := error(nil), -1
	for _, err := range errs {
		n := 2
		switch {
		case errors.Is(err, ErrNotFound):
			n = 0
		case errors.Is(err, ErrNoData):
			n = 1
		}
		if n > rank {
			pick, rank = err, n
		}
	}
	return pick
}

// asLookup makes an exchange's error a lookup's.
func asLookup(err error) error {
	var e *Error
	if errors.As(err, &e) {
		e.Op = "lookup"
	}
	return err
}
