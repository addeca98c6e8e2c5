package resolver_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

const rightAddr6 = "2001:db8::1"

// families answers questions for A and for AAAA in ways of their own.
func families(a, aaaa dnstest.Handler) dnstest.Handler {
	return dnstest.ByType(map[uint16]dnstest.Handler{dns.TypeA: a, dns.TypeAAAA: aaaa})
}

// lookUp returns the addresses as text.
func lookUp(ctx context.Context, r *resolver.Resolver, network string) (string, error) {
	addrs, err := r.LookupNetIP(ctx, network, www.Name)
	return strings.Trim(fmt.Sprint(addrs), "[]"), err
}

// TestLookup is about the two families: what one of them fails with does not take the other's addresses away, and where both fail the
// error is the one that says most.
func TestLookup(t *testing.T) {
	a, aaaa := dnstest.A(rightAddr), dnstest.A(rightAddr6)
	servfail, nxdomain, nodata := dnstest.Rcode(dns.RcodeServerFailure), dnstest.Rcode(dns.RcodeNameError), dnstest.Rcode(dns.RcodeSuccess)
	for name, c := range map[string]struct {
		network string
		h       dnstest.Handler
		want    string
		reason  error
		asked   int
	}{
		"both":                  {"ip", families(a, aaaa), rightAddr + " " + rightAddr6, nil, 2},
		"both, AAAA first":      {"ip", families(dnstest.After(time.Millisecond, a), aaaa), rightAddr + " " + rightAddr6, nil, 2},
		"ip4":                   {"ip4", families(a, aaaa), rightAddr, nil, 1},
		"ip6":                   {"ip6", families(a, aaaa), rightAddr6, nil, 1},
		"A alone, NODATA":       {"ip", families(a, nodata), rightAddr, nil, 2},
		"A alone, lame NODATA":  {"ip", families(a, dnstest.Edit(nodata, noRecursion)), rightAddr, nil, 2},
		"A alone, NXDOMAIN":     {"ip", families(a, nxdomain), rightAddr, nil, 2},
		"A alone, SERVFAIL":     {"ip", families(a, servfail), rightAddr, nil, 2},
		"AAAA alone, SERVFAIL":  {"ip", families(servfail, aaaa), rightAddr6, nil, 2},
		"NXDOMAIN":              {"ip", nxdomain, "", resolver.ErrNotFound, 2},
		"NODATA":                {"ip", nodata, "", resolver.ErrNoData, 2},
		"NODATA and NXDOMAIN":   {"ip", families(nodata, nxdomain), "", resolver.ErrNoData, 2},
		"NXDOMAIN and NODATA":   {"ip", families(nxdomain, nodata), "", resolver.ErrNoData, 2},
		"NODATA and SERVFAIL":   {"ip", families(nodata, servfail), "", resolver.ErrRcode, 2},
		"SERVFAIL and NXDOMAIN": {"ip", families(servfail, nxdomain), "", resolver.ErrRcode, 2},
		"SERVFAIL":              {"ip", servfail, "", resolver.ErrRcode, 2},
		"ip4, only AAAA":        {"ip4", families(nodata, aaaa), "", resolver.ErrNoData, 1},
		"additional is no answer": {"ip4", dnstest.Reply(func(m *dns.Msg) {
			m.Extra = append(m.Extra, &dns.A{Hdr: dns.RR_Header{Name: m.Question[0].Name, Rrtype: dns.TypeA, Class: dns.ClassINET}, A: []byte{6, 6, 6, 6}})
		}), "", resolver.ErrNoData, 1},
	} {
		t.Run(name, func(t *testing.T) {
			inBoth(t, func(t *testing.T, w *world) {
				s := w.server(t, c.h)
				got, err := lookUp(context.Background(), w.resolver(t, nil, s.Addr()), c.network)
				if got != c.want || !errors.Is(err, c.reason) {
					t.Errorf("lookup = %q, %v; want %q, %v", got, err, c.want, c.reason)
				}
				if n := s.Counts().UDP; n != c.asked {
					t.Errorf("%d queries, want %d", n, c.asked)
				}
				var e *resolver.Error
				if err != nil && (!errors.As(err, &e) || e.Op != "lookup" || e.Name != www.Name) {
					t.Errorf("error %#v", err)
				}
			})
		})
	}
}

// noRecursion clears RA.
func noRecursion(msg []byte, _ dnstest.Request) []byte {
	msg[3] &^= 0x80
	return msg
}

// TestOneFamilySilent: the other's address is there after one try's length at most.
func TestOneFamilySilent(t *testing.T) {
	for name, h := range map[string]dnstest.Handler{"AAAA": families(good, dnstest.Silent), "A": families(dnstest.Silent, dnstest.A(rightAddr6))} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, hasty(func(t *testing.T, w *world) {
				r := w.resolver(t, nil, w.server(t, h).Addr())
				watch := w.start()
				got, err := lookUp(context.Background(), r, "ip")
				watch.lasted(t, w.config.Timeout)
				if got != rightAddr && got != rightAddr6 || err != nil {
					t.Errorf("lookup = %q, %v", got, err)
				}
			}))
		})
	}
}

// TestOneFamilyHeldBack: nor is one waited for longer that was not sent, with a deadline that leaves more time or without.
func TestOneFamilyHeldBack(t *testing.T) {
	for _, deadline := range []time.Duration{time.Hour, 0} {
		inMemory(t, func(t *testing.T, w *world) {
			r := w.resolver(t, func(c *resolver.Config) { c.Rate = 0.01 }, w.server(t, good).Addr())
			ctx := context.Background()
			if deadline != 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, deadline)
				defer cancel()
			}
			watch := w.start()
			got, err := lookUp(ctx, r, "ip")
			watch.lasted(t, w.config.Timeout)
			if got != rightAddr || err != nil {
				t.Errorf("lookup = %q, %v", got, err)
			}
		})
	}
}

// TestCancelAfterOneFamily: that is canceled, whatever has come (c-ares#663).
func TestCancelAfterOneFamily(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		s := w.server(t, families(good, dnstest.Silent))
		r := w.resolver(t, nil, s.Addr())
		ctx, cancel := context.WithCancel(context.Background())
		watch := w.start()
		time.AfterFunc(50*time.Millisecond, cancel)
		got, err := lookUp(ctx, r, "ip")
		watch.lasted(t, 50*time.Millisecond)
		if !errors.Is(err, resolver.ErrCanceled) || got != "" || s.Asked(www.Name, dns.TypeA).UDP != 1 {
			t.Errorf("lookup = %q, %v; want ErrCanceled", got, err)
		}
		if n := r.Stats().InFlight; n != 0 {
			t.Errorf("%d queries are in flight", n)
		}
	})
}

// TestLookupLiterals: an address is its own, and nothing is sent.
func TestLookupLiterals(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		s := w.server(t, forged)
		r := w.resolver(t, nil, s.Addr())
		for _, c := range []struct{ network, host, want string }{
			{"ip", "192.0.2.9", "192.0.2.9"}, {"ip4", "192.0.2.9", "192.0.2.9"}, {"ip6", "192.0.2.9", ""},
			{"ip", "2001:db8::9", "2001:db8::9"}, {"ip6", "fe80::1%eth0", "fe80::1%eth0"}, {"ip4", "::1", ""}, {"udp", "www", ""},
		} {
			addrs, err := r.LookupNetIP(context.Background(), c.network, c.host)
			if c.want == "" && err == nil || c.want != "" && (err != nil || len(addrs) != 1 || addrs[0] != netip.MustParseAddr(c.want)) {
				t.Errorf("LookupNetIP(%s, %s) = %v, %v", c.network, c.host, addrs, err)
			}
		}
		if n := s.Counts().UDP; n != 0 {
			t.Errorf("%d queries were sent", n)
		}
	})
}

// chain is n aliases from www.example.com to an address, in any order of records.
func chain(n int, reversed bool) (records []string) {
	name := func(i int) string {
		if i == 0 {
			return "www.example.com."
		}
		return fmt.Sprintf("n%d.example.", i)
	}
	for i := range n {
		records = append(records, name(i)+" 60 IN CNAME "+name(i+1))
	}
	records = append(records, name(n)+" 60 IN A "+rightAddr)
	if reversed {
		for i, j := 0, len(records)-1; i < j; i, j = i+1, j-1 {
			records[i], records[j] = records[j], records[i]
		}
	}
	return records
}

// TestAliases: which records of an answer belong to the name asked.
func TestAliases(t *testing.T) {
	const ok, none = rightAddr, ""
	for name, c := range map[string]struct {
		records []string
		want    string
		reason  error
	}{
		"16 links":                 {chain(16, false), ok, nil},
		"16 links, reversed":       {chain(16, true), ok, nil},
		"17 links":                 {chain(17, false), none, resolver.ErrChain},
		"40 links, reversed":       {chain(40, true), none, resolver.ErrChain},
		"chain without its end":    {chain(3, false)[:3], none, resolver.ErrNoData},
		"chain without a link":     {chain(3, true)[:2], none, resolver.ErrNoData},
		"to itself":                {[]string{"www.example.com. 60 IN CNAME www.example.com."}, none, resolver.ErrLoop},
		"to itself, in other case": {[]string{"www.example.com. 60 IN CNAME WWW.Example.COM."}, none, resolver.ErrLoop},
		"in a circle":              {[]string{"www.example.com. 60 IN CNAME a.example.", "a.example. 60 IN CNAME b.example.", "b.example. 60 IN CNAME a.example."}, none, resolver.ErrLoop},
		"DNAME":                    {[]string{"example.com. 60 IN DNAME example.net.", "www.example.net. 60 IN A " + rightAddr}, ok, nil},
		"DNAME and its CNAME":      {[]string{"example.com. 60 IN DNAME example.net.", "www.example.com. 0 IN CNAME www.example.net.", "www.example.net. 60 IN A " + rightAddr}, ok, nil},
		"DNAME of the name itself": {[]string{"www.example.com. 60 IN DNAME example.net.", "example.net. 60 IN A " + rightAddr}, none, resolver.ErrNoData},
		"DNAME to itself":          {[]string{"com. 60 IN DNAME com."}, none, resolver.ErrLoop},
		"DNAME that grows":         {[]string{"example.com. 60 IN DNAME a.example.com."}, none, resolver.ErrChain},
		"half a label":             {[]string{"ample.com. 60 IN DNAME example.net.", "www.example.net. 60 IN A " + rightAddr}, none, resolver.ErrNoData},
		"another owner":            {[]string{"evil.example.net. 60 IN A " + forgedAddr}, none, resolver.ErrNoData},
		"another owner besides":    {[]string{"evil.example.net. 60 IN A " + forgedAddr, "www.example.com. 60 IN A " + rightAddr}, ok, nil},
		"another class":            {[]string{"www.example.com. 60 CH A " + forgedAddr}, none, resolver.ErrNoData},
		"case of the owner":        {[]string{"WWW.example.Com. 60 IN A " + rightAddr}, ok, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				s := w.server(t, dnstest.Answer(c.records...))
				got, err := lookUp(context.Background(), w.resolver(t, nil, s.Addr()), "ip4")
				if got != c.want || !errors.Is(err, c.reason) {
					t.Errorf("lookup = %q, %v; want %q, %v", got, err, c.want, c.reason)
				}
			})
		})
	}
}

// TestCanonicalName is the name at the end of the chain, "" where that is the question's.
func TestCanonicalName(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		s := w.server(t, dnstest.Answer(chain(2, false)...))
		if _, name, err := ask(t, w.resolver(t, nil, s.Addr()), 0).Addrs(); name != "n2.example." || err != nil {
			t.Errorf("canonical name %q, %v", name, err)
		}
		s.Handle(good)
		if _, name, err := ask(t, w.resolver(t, nil, s.Addr()), 0).Addrs(); name != "" || err != nil {
			t.Errorf("canonical name %q, %v; want none", name, err)
		}
	})
}
