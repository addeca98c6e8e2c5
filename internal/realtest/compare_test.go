package realtest_test

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/realtest"
)

// message returns a response with records in all sections.
func message(t *testing.T) *dns.Msg {
	t.Helper()
	m := new(dns.Msg).SetQuestion("a.test.", dns.TypeMX)
	m.Authoritative, m.AuthenticatedData = true, true
	for section, lines := range map[*[]dns.RR][]string{
		&m.Answer: {"a.test. 300 IN MX 10 b.test.", "a.test. 300 IN MX 20 c.test."},
		&m.Ns:     {"test. 600 IN NS ns.test."},
		&m.Extra:  {"b.test. 300 IN A 192.0.2.1", "b.test. 300 IN AAAA 2001:db8::1"},
	} {
		for _, line := range lines {
			rr, err := dns.NewRR(line)
			if err != nil {
				t.Fatal(err)
			}
			*section = append(*section, rr)
		}
	}
	return m.SetEdns0(1232, false)
}

func outcome(t *testing.T, m *dns.Msg) realtest.Outcome {
	t.Helper()
	records, err := realtest.RecordsOf(m)
	if err != nil {
		t.Fatal(err)
	}
	return realtest.Outcome{Rcode: m.Rcode, AA: m.Authoritative, TC: m.Truncated, AD: m.AuthenticatedData, Records: records}
}

// TestDiff tampers with a response, and wants the difference named.
func TestDiff(t *testing.T) {
	for _, tt := range []struct {
		name   string
		tamper func(m *dns.Msg)
		slack  uint32
		want   []string // parts of what is said; none: no difference
	}{
		{"equal", func(*dns.Msg) {}, 0, nil},
		{"another order", func(m *dns.Msg) { slices.Reverse(m.Answer); slices.Reverse(m.Extra) }, 0, nil},
		{"no OPT", func(m *dns.Msg) { m.Extra = m.Extra[:2] }, 0, nil},
		{"rcode", func(m *dns.Msg) { m.Rcode = dns.RcodeServerFailure }, 0, []string{"rcode is 2, want 0"}},
		{"AA", func(m *dns.Msg) { m.Authoritative = false }, 0, []string{"AA is false, want true"}},
		{"TC", func(m *dns.Msg) { m.Truncated = true }, 0, []string{"TC is true, want false"}},
		{"AD", func(m *dns.Msg) { m.AuthenticatedData = false }, 0, []string{"AD is false, want true"}},
		{"a record too few", func(m *dns.Msg) { m.Answer = m.Answer[1:] }, 0, []string{"missing: answer: a.test. 300 CLASS1 TYPE15"}},
		{"a record twice", func(m *dns.Msg) { m.Ns = append(m.Ns, m.Ns[0]) }, 0, []string{"not wanted: authority: test. 600 CLASS1 TYPE2"}},
		{"an octet of RDATA", func(m *dns.Msg) { m.Extra[0].(*dns.A).A = net.IPv4(192, 0, 2, 2) }, 0,
			[]string{`missing: additional: b.test. 300 CLASS1 TYPE1 \# 4 c0000201`, `not wanted: additional: b.test. 300 CLASS1 TYPE1 \# 4 c0000202`}},
		{"case of an owner", func(m *dns.Msg) { m.Ns[0].Header().Name = "tEst." }, 0, []string{"missing: authority: test.", "not wanted: authority: tEst."}},
		{"case of a name in RDATA", func(m *dns.Msg) { m.Ns[0].(*dns.NS).Ns = "NS.test." }, 0, []string{"missing", "not wanted"}},
		{"class", func(m *dns.Msg) { m.Extra[0].Header().Class = dns.ClassCHAOS }, 0, []string{"missing", "CLASS3"}},
		{"another section", func(m *dns.Msg) { m.Ns, m.Extra = nil, append(m.Extra, m.Ns...) }, 0, []string{"missing: authority", "not wanted: additional"}},
		{"TTL of an authority", func(m *dns.Msg) { m.Answer[0].Header().Ttl-- }, 0, []string{"TTL is 299, want 300 within 0"}},
		{"TTL of a cache", func(m *dns.Msg) { m.Answer[0].Header().Ttl-- }, 1, nil},
		{"TTL of a cache, upwards", func(m *dns.Msg) { m.Answer[0].Header().Ttl++ }, 1, nil},
		{"TTL too far off", func(m *dns.Msg) { m.Answer[0].Header().Ttl -= 2 }, 1, []string{"TTL is 298, want 300 within 1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := message(t)
			tt.tamper(m)
			diff := realtest.Diff(outcome(t, m), outcome(t, message(t)), tt.slack)
			if (diff == "") != (tt.want == nil) {
				t.Errorf("said %q, want %q", diff, tt.want)
			}
			for _, part := range tt.want {
				if !strings.Contains(diff, part) {
					t.Errorf("said %q, want it to hold %q", diff, part)
				}
			}
		})
	}
}

// TestDiffStaysShort wants a long list cut.
func TestDiffStaysShort(t *testing.T) {
	var many realtest.Outcome
	for i := range 500 {
		many.Records = append(many.Records, realtest.Record{Section: realtest.Answer, Owner: "\x00", Data: fmt.Sprintf("%08x", i)})
	}
	diff := realtest.Diff(realtest.Outcome{}, many, 0)
	if n := strings.Count(diff, "\n"); n > 10 || !strings.HasSuffix(diff, "and more\n") {
		t.Errorf("%d lines: %s", n, diff)
	}
}
