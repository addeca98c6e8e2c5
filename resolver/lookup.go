package resolver

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
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
	ws, err := r.families(ctx, host, types)
	if err != nil {
		return nil, asLookup(err)
	}
	taken, err := r.ask(ctx, ws...)
	for _, w := range ws[:taken] {
		if err != nil {
			r.cancel(&w.q, w.round)
		}
		r.wait(ctx, w)
	}
	addrs, err := gather(ctx, ws[:taken], err)
	for _, w := range ws {
		r.release(w)
	}
	return addrs, err
}

// families returns waiters for the queries of these types.
func (r *Resolver) families(ctx context.Context, host string, types []uint16) ([]*waiter, error) {
	ws := make([]*waiter, 0, 2)
	for _, t := range types {
		w, err := r.prepare(ctx, &Query{Question: Question{Name: host, Type: t}})
		if err != nil {
			for _, w := range ws {
				r.release(w)
			}
			return nil, err
		}
		w.lookup = true
		ws = append(ws, w)
	}
	if len(ws) == 2 {
		ws[0].other, ws[1].other = ws[1], ws[0]
	}
	return ws, nil
}

// look is finish for a lookup. Once one family has addresses, the other is waited for no longer than one try's length.
func (w *waiter) look() {
	if w.addrs, w.err = w.answer.lookupResult(); w.err != nil || w.other == nil {
		return
	}
	e := w.q.engine
	e.shorten(&w.other.q, e.loop.Now()+Time(e.cfg.Timeout))
}

// gather makes the result of a lookup out of those of its families. err is why one of them was not asked, or nil.
func gather(ctx context.Context, ws []*waiter, err error) ([]netip.Addr, error) {
	var addrs []netip.Addr
	var errs []error
	if err != nil {
		errs = append(errs, err)
	}
	for _, w := range ws { // A before AAAA
		if ctx.Err() != nil && errors.Is(w.err, ErrCanceled) {
			return nil, asLookup(w.err)
		}
		addrs = append(addrs, w.addrs...)
		errs = append(errs, w.err)
	}
	if len(addrs) > 0 {
		return addrs, nil
	}
	return nil, asLookup(worst(errs))
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
