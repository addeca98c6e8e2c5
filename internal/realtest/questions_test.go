package realtest_test

import (
	"slices"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/realtest"
	"github.com/dnsq/dnsq/resolver"
)

func TestQuestions(t *testing.T) {
	zones, _ := zones(t)
	for _, n := range []int{1000, 10000} {
		questions := realtest.Questions(zones, n)
		if len(questions) != n {
			t.Fatalf("%d questions, want %d", len(questions), n)
		}
		expect := make(map[realtest.Expect]int)
		types := make(map[uint16]bool)
		var flags resolver.Flags
		for _, q := range questions {
			expect[q.Expect]++
			types[q.Type] = true
			flags |= q.Flags
		}
		if n == 10000 && (expect[realtest.Held] < 5000 || expect[realtest.NoData] < 500 || expect[realtest.Missing] < 1500) {
			t.Errorf("%d questions are Held: %d, NoData: %d, Missing: %d", n, expect[realtest.Held], expect[realtest.NoData], expect[realtest.Missing])
		}
		for _, z := range zones {
			for _, rr := range z.Records {
				if typ := rr.Header().Rrtype; !types[typ] {
					t.Errorf("none of %d questions asks for %s", n, dns.Type(typ))
					types[typ] = true
				}
			}
		}
		all := resolver.NoRecurse | resolver.CheckingDisabled | resolver.AuthenticData | resolver.DNSSEC | resolver.NoEDNS | resolver.IgnoreTruncation
		if flags != all {
			t.Errorf("flags in use are %#x, want %#x", flags, all)
		}
	}
	if !slices.Equal(realtest.Questions(zones, 10000), realtest.Questions(zones, 10000)) {
		t.Error("two runs made different questions")
	}
}

func TestUnexpected(t *testing.T) {
	answer := func(section realtest.Section, typ uint16) []realtest.Record {
		return []realtest.Record{{Section: section, Type: typ}}
	}
	for _, tt := range []struct {
		name   string
		expect realtest.Expect
		got    realtest.Outcome
		ok     bool
	}{
		{"held", realtest.Held, realtest.Outcome{Records: answer(realtest.Answer, dns.TypeMX)}, true},
		{"held, but another type", realtest.Held, realtest.Outcome{Records: answer(realtest.Answer, dns.TypeA)}, false},
		{"held, but in another section", realtest.Held, realtest.Outcome{Records: answer(realtest.Additional, dns.TypeMX)}, false},
		{"held, but refused", realtest.Held, realtest.Outcome{Rcode: dns.RcodeRefused, Records: answer(realtest.Answer, dns.TypeMX)}, false},
		{"no data", realtest.NoData, realtest.Outcome{Records: answer(realtest.Authority, dns.TypeSOA)}, true},
		{"no data, but an answer", realtest.NoData, realtest.Outcome{Records: answer(realtest.Answer, dns.TypeMX)}, false},
		{"no data, but NXDOMAIN", realtest.NoData, realtest.Outcome{Rcode: dns.RcodeNameError}, false},
		{"missing", realtest.Missing, realtest.Outcome{Rcode: dns.RcodeNameError}, true},
		{"missing, but no error", realtest.Missing, realtest.Outcome{}, false},
		{"missing, but an answer", realtest.Missing, realtest.Outcome{Rcode: dns.RcodeNameError, Records: answer(realtest.Answer, dns.TypeMX)}, false},
		{"anything", realtest.Anything, realtest.Outcome{Rcode: dns.RcodeServerFailure}, true},
	} {
		q := realtest.Question{Question: resolver.Question{Name: "a.test.", Type: dns.TypeMX}, Expect: tt.expect}
		if got := q.Unexpected(tt.got); (got == "") != tt.ok {
			t.Errorf("%s: %q, want ok to be %t", tt.name, got, tt.ok)
		}
	}
}
