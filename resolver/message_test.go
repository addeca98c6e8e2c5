package resolver_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/vectors"
	"github.com/dnsq/dnsq/resolver"
)

// message is a query with an ID and an EDNS option of its own.
func message(options ...dns.EDNS0) *dns.Msg {
	m := new(dns.Msg).SetQuestion("www.example.com.", dns.TypeA)
	m.Id, m.CheckingDisabled = 0xBEEF, true
	m.SetEdns0(1400, false)
	m.IsEdns0().Option = options
	return m
}

// TestExchangeMsg: the message is sent as it is but for the ID, and the reply has the ID of the caller.
func TestExchangeMsg(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		s := w.server(t, dnstest.WithOPT(good))
		r := w.resolver(t, nil, s.Addr())
		nsid := &dns.EDNS0_NSID{Code: dns.EDNS0NSID}
		ids := map[uint16]bool{}
		for range 3 {
			m := message(nsid)
			before := m.String()
			reply, err := r.ExchangeMsg(context.Background(), m)
			if err != nil {
				t.Fatal(err)
			}
			if m.String() != before || reply.Id != m.Id || len(reply.Answer) != 1 || reply.Answer[0].(*dns.A).A.String() != rightAddr {
				t.Errorf("reply %v to %v", reply, m)
			}
		}
		for _, q := range s.Queries() {
			ids[q.ID()] = true
			sent := q.Query.Copy()
			sent.Id = 0xBEEF
			if want := message(nsid); sent.String() != want.String() {
				t.Errorf("sent %v, want %v", sent, want)
			}
		}
		if len(ids) < 2 {
			t.Error("the same ID each time")
		}
	})
}

// TestFormErrIsRetriedWithoutEDNS, once, unless that would leave out what was asked for.
func TestFormErrIsRetriedWithoutEDNS(t *testing.T) {
	plain := resolver.Query{Question: www}
	raw := func(m *dns.Msg, secure bool) resolver.Query {
		m.IsEdns0().SetDo(secure)
		msg, err := m.Pack()
		if err != nil {
			t.Fatal(err)
		}
		return resolver.Query{Raw: msg}
	}
	for name, c := range map[string]struct {
		q     resolver.Query
		retry bool
	}{
		"question":     {plain, true},
		"NoEDNS":       {resolver.Query{Question: www, Flags: resolver.NoEDNS}, false},
		"DNSSEC":       {resolver.Query{Question: www, Flags: resolver.DNSSEC}, false},
		"raw":          {raw(message(), false), true},
		"raw, DO":      {raw(message(), true), false},
		"raw, options": {raw(message(&dns.EDNS0_NSID{Code: dns.EDNS0NSID}), false), false},
	} {
		for code, bare := range map[int]bool{dns.RcodeFormatError: true, dns.RcodeNotImplemented: true, dns.RcodeBadVers: false} {
			t.Run(name+"/"+dns.RcodeToString[code], func(t *testing.T) {
				inMemory(t, func(t *testing.T, w *world) { formErr(t, w, c.q, code, bare, c.retry) })
			})
		}
	}
}

// formErr fails unless a server that always answers with the code is asked with EDNS and then, if retry, once without.
func formErr(t *testing.T, w *world, q resolver.Query, code int, bare, retry bool) {
	t.Helper()
	servers := []*dnstest.Server{w.server(t, dnstest.Reply(func(m *dns.Msg) {
		m.Rcode = code
		if code > 15 {
			m.SetEdns0(1232, false)
		}
	}))}
	if bare {
		servers = append(servers, w.server(t, dnstest.HeaderOnly(code)))
	}
	for _, s := range servers {
		a, err := w.resolver(t, nil, s.Addr()).ExchangeQuery(context.Background(), q)
		if err != nil || int(a.Rcode) != code {
			t.Fatalf("answer %v, %v; want rcode %d", a, err, code)
		}
		var edns []bool
		for _, asked := range s.Queries() {
			edns = append(edns, asked.EDNS)
		}
		want := []bool{q.Flags&resolver.NoEDNS == 0}
		if retry {
			want = append(want, false)
		}
		if !slices.Equal(edns, want) {
			t.Errorf("asked with EDNS: %v, want %v", edns, want)
		}
	}
}

// TestFlagsOnTheWire: each sets its bit.
func TestFlagsOnTheWire(t *testing.T) {
	for name, c := range map[string]struct {
		q    resolver.Query
		want func(m *dns.Msg) bool
	}{
		"none":             {resolver.Query{}, func(m *dns.Msg) bool { return m.RecursionDesired && m.IsEdns0().UDPSize() == 1232 && !m.IsEdns0().Do() }},
		"NoRecurse":        {resolver.Query{Flags: resolver.NoRecurse}, func(m *dns.Msg) bool { return !m.RecursionDesired }},
		"CheckingDisabled": {resolver.Query{Flags: resolver.CheckingDisabled}, func(m *dns.Msg) bool { return m.CheckingDisabled }},
		"AuthenticData":    {resolver.Query{Flags: resolver.AuthenticData}, func(m *dns.Msg) bool { return m.AuthenticatedData }},
		"DNSSEC":           {resolver.Query{Flags: resolver.DNSSEC}, func(m *dns.Msg) bool { return m.IsEdns0().Do() }},
		"NoEDNS":           {resolver.Query{Flags: resolver.NoEDNS}, func(m *dns.Msg) bool { return m.IsEdns0() == nil }},
		"UDPSize":          {resolver.Query{UDPSize: 4000}, func(m *dns.Msg) bool { return m.IsEdns0().UDPSize() == 4000 }},
		"UDPSize too low":  {resolver.Query{UDPSize: 100}, func(m *dns.Msg) bool { return m.IsEdns0().UDPSize() == 512 }},
		"class":            {resolver.Query{Question: resolver.Question{Class: dns.ClassCHAOS}}, func(m *dns.Msg) bool { return m.Question[0].Qclass == dns.ClassCHAOS }},
	} {
		inMemory(t, func(t *testing.T, w *world) {
			s := w.server(t, good)
			c.q.Name, c.q.Type = www.Name, www.Type
			if _, err := w.resolver(t, nil, s.Addr()).ExchangeQuery(context.Background(), c.q); err != nil {
				t.Fatal(err)
			}
			if m := s.Queries()[0].Query; !c.want(m) {
				t.Errorf("%s: sent %v", name, m)
			}
		})
	}
}

// TestTrailingOctets are counted and left out of the decoded message.
func TestTrailingOctets(t *testing.T) {
	everywhere(t, withTCP(func(t *testing.T, w *world) {
		s := w.server(t, dnstest.Edit(good, func(msg []byte, _ dnstest.Request) []byte { return append(msg, "more"...) }))
		for _, flags := range []resolver.Flags{0, resolver.OverTCP} {
			a := ask(t, w.resolver(t, nil, s.Addr()), flags)
			m, err := a.Msg()
			if a.Trailing != 4 || err != nil || len(m.Answer) != 1 || !bytes.HasSuffix(a.Raw, []byte("more")) {
				t.Errorf("%d trailing octets, %v, %v", a.Trailing, m, err)
			}
		}
	}))
}

// TestVectorsDecode: what the messages with odd data hold (golang/go#27763, c-ares#1190, c-ares#1129).
func TestVectorsDecode(t *testing.T) {
	want := map[string][]string{
		"V45": {"www.example.com.\t60\tIN\tTXT\t\"v=sp1\" \"-all2\"", "www.example.com.\t60\tIN\tTXT\t\"\""},
		"V54": {"www.example.com.\t60\tIN\tSRV\t10 20 30 www.example.com."},
		"V55": {"www.example.com.\t60\tCLASS1\tTYPE65432\t\\# 0 "},
	}
	for _, v := range vectors.Load(t) {
		if want[v.ID] == nil {
			continue
		}
		inMemory(t, func(t *testing.T, w *world) {
			s := w.server(t, dnstest.Vector(v.Message(0)))
			a, err := w.resolver(t, nil, s.Addr()).Exchange(context.Background(), resolver.Question{Name: v.Name, Type: v.Type})
			if err != nil {
				t.Fatal(err)
			}
			m, err := a.Msg()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, rr := range m.Answer {
				got = append(got, rr.String())
			}
			if !slices.Equal(got, want[v.ID]) {
				t.Errorf("%s holds %q, want %q", v.ID, got, want[v.ID])
			}
			m.Compress = v.ID == "V55" // its data has no name that the server spelled in another way
			if packed, err := m.Pack(); m.Compress && (err != nil || !bytes.Equal(packed, a.Raw)) {
				t.Errorf("%s packed again: %x, %v; want %x", v.ID, packed, err, a.Raw)
			}
		})
	}
}
