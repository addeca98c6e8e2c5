package main

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/vectors"
	"github.com/dnsq/dnsq/resolver"
)

var server = netip.MustParseAddrPort("127.0.0.1:5300")

// printed is the text for a message that is accepted as it is.
func printed(t *testing.T, raw []byte, short bool) string {
	t.Helper()
	r := &request{short: short, name: "x"}
	text, err := r.answerText(&resolver.Answer{Raw: raw, Server: server, Transport: resolver.UDP}, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestVectors(t *testing.T) {
	want := map[string][]string{
		"V45": {"\tTXT\t\"v=sp1\" \"-all2\"\n", "\tTXT\t\"\"\n"},
		"V51": {"\tHTTPS\t\\# 17 0001000001000302683200010003026833\n"}, // not as RFC 9460 2.2 wants it
		"V55": {"\tTYPE65432 \\# 0\n"},
		"V81": {"\tPTR\ta\\027[31m\\007b.example.com.\n"},
		"V82": {"\tPTR\ta\\.b\\010\\;c.example.com.\n"},
	}
	for _, v := range vectors.Load(t) {
		for _, line := range want[v.ID] {
			if text := printed(t, v.Message(1), false); !strings.Contains(text, line) {
				t.Errorf("%s: no %q in\n%s", v.ID, line, text)
			}
		}
		delete(want, v.ID)
	}
	if len(want) > 0 {
		t.Errorf("no such vectors: %v", want)
	}
}

func TestColumns(t *testing.T) {
	tests := []struct{ rr, want string }{
		{"x. 1 IN A 192.0.2.1", "x.\t\t\t1\tIN\tA\t192.0.2.1\n"},
		{strings.Repeat("a", 22) + ". 1 IN A 192.0.2.1", strings.Repeat("a", 22) + ".\t1\tIN\tA\t192.0.2.1\n"},
		{strings.Repeat("a", 23) + ". 1 IN A 192.0.2.1", strings.Repeat("a", 23) + ". 1\tIN\tA\t192.0.2.1\n"},
		{strings.Repeat("a", 30) + ". 1 IN A 192.0.2.1", strings.Repeat("a", 30) + ".\t1 IN\tA\t192.0.2.1\n"},
		{strings.Repeat("a", 50) + ". 1 IN A 192.0.2.1", strings.Repeat("a", 50) + ". 1 IN A 192.0.2.1\n"},
		{"x. 2147483647 IN A 192.0.2.1", "x.\t\t\t2147483647 IN\tA\t192.0.2.1\n"},
		{`x. 1 CLASS1234 TYPE65432 \# 1 00`, "x.\t\t\t1\tCLASS1234 TYPE65432 \\# 1 00\n"},
	}
	for _, tt := range tests {
		rr, err := dns.NewRR(tt.rr)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := (&dns.Msg{Answer: []dns.RR{rr}}).Pack()
		if err != nil {
			t.Fatal(err)
		}
		m, err := decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, string(m.appendRecord(nil, m.sections[answer][0]))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.rr, diff)
		}
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{rcodeName(dns.RcodeNameError), "NXDOMAIN"}, {rcodeName(16), "BADVERS"}, {rcodeName(4095), "RESERVED4095"},
		{opcodeName(0), "QUERY"}, {opcodeName(0x8000 | 5<<11 | 0x7ff), "UPDATE"}, {opcodeName(15 << 11), "RESERVED15"},
		{typeName(65), "HTTPS"}, {typeName(65535), "TYPE65535"}, {className(3), "CH"}, {className(2), "CLASS2"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
}

// Records that the resolver would not let through have their octets shown.
func TestOddRecords(t *testing.T) {
	hdr := func(typ uint16) dns.RR_Header { return dns.RR_Header{Name: "x.", Rrtype: typ, Class: dns.ClassINET} }
	raw, err := (&dns.Msg{Answer: []dns.RR{
		&dns.RFC3597{Hdr: hdr(dns.TypeA)},
		&dns.RFC3597{Hdr: hdr(dns.TypeA), Rdata: "c0"},
		&dns.RFC3597{Hdr: hdr(dns.TypeNULL), Rdata: "1b5b"},
		&dns.OPT{Hdr: dns.RR_Header{Name: ".", Rrtype: dns.TypeOPT, Class: 1232}, Option: []dns.EDNS0{&dns.EDNS0_LOCAL{Code: 65001, Data: []byte{7}}}},
	}}).Pack()
	if err != nil {
		t.Fatal(err)
	}
	want := "\\# 0\n\\# 1 C0\n\\# 2 1B5B\n\\# 5 FDE9000107\n"
	if diff := cmp.Diff(want, printed(t, raw, true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text := printed(t, raw, false); strings.Contains(text, "PSEUDOSECTION") {
		t.Errorf("an OPT record of the answer section was taken for EDNS:\n%s", text)
	}
}

func TestAttempts(t *testing.T) {
	other := netip.MustParseAddrPort("[fe80::1%lo]:53")
	udp := func(a resolver.Attempt) resolver.Attempt {
		a.Server, a.Transport = server, resolver.UDP
		return a
	}
	noReply := func(err error) resolver.Attempt {
		return udp(resolver.Attempt{Rcode: -1, Err: fmt.Errorf("wrapped: %w", err)})
	}
	ok := resolver.Attempt{Server: other, Transport: resolver.UDP}
	tests := []struct {
		name     string
		attempts []resolver.Attempt
		short    bool
		answered bool
		want     string
	}{
		{"answered", []resolver.Attempt{ok}, false, true, ""},
		{"timeout", []resolver.Attempt{noReply(resolver.ErrTimeout), ok}, false, true, ";; communications error to 127.0.0.1#5300: timed out\n"},
		{"short too", []resolver.Attempt{noReply(resolver.ErrTimeout), ok}, true, true, ";; communications error to 127.0.0.1#5300: timed out\n"},
		{"unreachable", []resolver.Attempt{noReply(backend.ErrUnreachable)}, false, false, ";; communications error to 127.0.0.1#5300: host unreachable\n"},
		{"reset", []resolver.Attempt{noReply(backend.ErrReset)}, false, false, ";; communications error to 127.0.0.1#5300: connection reset\n"},
		{"closed", []resolver.Attempt{noReply(io.EOF)}, false, false, ";; communications error to 127.0.0.1#5300: end of file\n"},
		{"other", []resolver.Attempt{noReply(errors.New("a\x1b"))}, false, false, ";; communications error to 127.0.0.1#5300: wrapped: a\\027\n"},
		{"TCP refused", []resolver.Attempt{{Server: other, Transport: resolver.TCP, Err: backend.ErrRefused}}, false, false,
			";; Connection to fe80::1%lo#53(fe80::1%lo) for a\\010b failed: connection refused.\n"},
		{"truncated", []resolver.Attempt{udp(resolver.Attempt{Truncated: true}), {Server: server, Transport: resolver.TCP}}, false, true,
			";; Truncated, retrying in TCP mode.\n"},
		{"truncated, short", []resolver.Attempt{udp(resolver.Attempt{Truncated: true}), {Server: server, Transport: resolver.TCP}}, true, true, ""},
		{"next server", []resolver.Attempt{udp(resolver.Attempt{Rcode: dns.RcodeRefused}), ok}, false, true,
			";; Got REFUSED reply from 127.0.0.1#5300, trying next server\n"},
		{"without EDNS", []resolver.Attempt{udp(resolver.Attempt{Rcode: dns.RcodeNotImplemented}), udp(resolver.Attempt{})}, false, true,
			";; Got NOTIMP reply from 127.0.0.1#5300, retrying without EDNS\n"},
		{"again", []resolver.Attempt{udp(resolver.Attempt{Rcode: dns.RcodeServerFailure}), udp(resolver.Attempt{})}, false, true,
			";; Got SERVFAIL reply from 127.0.0.1#5300, trying again\n"},
		{"not answered in the end", []resolver.Attempt{udp(resolver.Attempt{Rcode: dns.RcodeServerFailure})}, false, false,
			";; Got SERVFAIL reply from 127.0.0.1#5300\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &request{name: "a\nb", short: tt.short}
			if diff := cmp.Diff(tt.want, string(r.appendAttempts(nil, tt.attempts, tt.answered))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFailureWithoutAttempt(t *testing.T) {
	r := &request{short: true}
	got := string(r.failureText(&resolver.Error{Op: "exchange", Name: "x", Type: 1, Err: resolver.ErrClosed}))
	if want := ";; exchange x A: resolver closed: use of closed network connection\n;; no servers could be reached\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOutcomeOfABadQuestion(t *testing.T) {
	text, code, err := new(request).outcome(nil, errors.New("bad domain name"))
	if len(text) > 0 || code != exitUsage || !errors.As(err, new(usageError)) {
		t.Errorf("%q, %d, %v", text, code, err)
	}
}

// Nothing that a server can say becomes a control character, an octet beyond ASCII or an endless loop.
func FuzzAnswerText(f *testing.F) {
	for _, v := range vectors.Load(f) {
		f.Add(v.Message(1))
	}
	printable := regexp.MustCompile(`^[\t\n -~]*$`)
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := &request{}
		text, err := r.answerText(&resolver.Answer{Raw: raw, Server: server, Transport: resolver.TCP}, time.Unix(0, 0))
		if err == nil && !printable.Match(text) {
			t.Errorf("%x:\n%q", raw, text)
		}
	})
}

func TestCutMessages(t *testing.T) {
	m := new(dns.Msg).SetQuestion("x.", dns.TypeA)
	m.Answer = []dns.RR{&dns.A{Hdr: dns.RR_Header{Name: "x.", Rrtype: dns.TypeA, Class: dns.ClassINET}, A: []byte{192, 0, 2, 1}}}
	raw, err := m.Pack()
	if err != nil {
		t.Fatal(err)
	}
	for n := range raw {
		if _, err := decode(raw[:n]); err == nil {
			t.Errorf("%d of %d octets: no error", n, len(raw))
		}
	}
}
