package dnstest_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
)

// What the server says to query, octet for octet.
const (
	question = "03777777076578616d706c6503636f6d00" + "00010001"
	addr1    = "c00c" + "00010001" + "0000003c" + "0004" + "c0000201"
	answer1  = "1234" + "8180" + "0001000100000000" + question + addr1
	noOPT    = "0001000000000000"
)

func TestDatagrams(t *testing.T) {
	one := dnstest.A("192.0.2.1", "2001:db8::1")
	for _, tt := range []struct {
		name  string
		h     dnstest.Handler
		qtype uint16
		want  []string
	}{
		{name: "A", h: one, want: []string{answer1}},
		{name: "A of AAAA", h: one, qtype: dns.TypeAAAA, want: []string{
			"1234" + "8180" + "0001000100000000" + "03777777076578616d706c6503636f6d00" + "001c0001" +
				"c00c" + "001c0001" + "0000003c" + "0010" + "20010db8000000000000000000000001"}},
		{name: "A of MX", h: one, qtype: dns.TypeMX, want: []string{
			"1234" + "8180" + noOPT + "03777777076578616d706c6503636f6d00" + "000f0001"}},
		{name: "Answer", h: dnstest.Answer("www.example.com. 60 IN A 192.0.2.1"), want: []string{answer1}},
		{name: "Rcode", h: dnstest.Rcode(dns.RcodeRefused), want: []string{"1234" + "8185" + noOPT + question}},
		{name: "Truncated", h: dnstest.Truncated(), want: []string{"1234" + "8380" + noOPT + question}},
		{name: "HeaderOnly", h: dnstest.HeaderOnly(dns.RcodeServerFailure), want: []string{"1234" + "8182" + "0000000000000000"}},
		{name: "Echo", h: dnstest.Echo, want: []string{"1234" + "0100" + noOPT + question}},
		{name: "Silent", h: dnstest.Silent},
		{name: "Empty", h: dnstest.All(dnstest.Empty, one), want: []string{"", answer1}},
		{name: "Raw", h: dnstest.Raw([]byte{1, 2, 3}), want: []string{"010203"}},
		{name: "Vector", h: dnstest.Vector([]byte{9, 9, 3}), want: []string{"123403"}},
		{name: "Vector of 1 octet", h: dnstest.Vector([]byte{9}), want: []string{"12"}},
		{name: "Times", h: dnstest.Times(2, one), want: []string{answer1, answer1}},
		{name: "WrongID", h: dnstest.All(dnstest.WrongID(one), one), want: []string{"1235" + answer1[4:], answer1}},
		{name: "NotResponse", h: dnstest.NotResponse(one), want: []string{"1234" + "0180" + answer1[8:]}},
		{name: "OtherQuestion", h: dnstest.OtherQuestion(one), want: []string{strings.Replace(answer1, "03777777", "03767777", 1)}},
		{name: "First", h: dnstest.First(4, one), want: []string{"12348180"}},
		{name: "First beyond the end", h: dnstest.First(1000, one), want: []string{answer1}},
		{name: "WithOPT", h: dnstest.WithOPT(dnstest.Rcode(dns.RcodeFormatError)), want: []string{
			"1234" + "8181" + "0001000000000001" + question + "000029" + "04d0" + "00000000" + "0000"}},
		{name: "edits of edits", h: dnstest.First(2, dnstest.WrongID(one)), want: []string{"1235"}},
		{name: "stream faults", h: dnstest.Split(1, 0, dnstest.OneWrite(dnstest.CloseAfter(3, dnstest.All(one, dnstest.Close, dnstest.Reset, one)))),
			want: []string{answer1, answer1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := dnstest.Start(t, tt.h)
			got := ask(t, s, len(tt.want), query(t, max(tt.qtype, dns.TypeA), false))
			if !slices.Equal(got, tt.want) {
				t.Errorf("datagrams:\n got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestAsAsked(t *testing.T) {
	stored, err := hex.DecodeString("9999" + "8180" + "0001000100000000" + strings.Replace(question, "777777", "787878", 1) + addr1)
	if err != nil {
		t.Fatal(err)
	}
	shorter := append(slices.Clone(stored[:12]), 1, 'a', 0, 0, 1, 0, 1)
	s := dnstest.Start(t, dnstest.AsAsked(dnstest.All(
		dnstest.Vector(stored), dnstest.Vector(shorter), dnstest.Vector(stored[:14]), dnstest.Vector(nil))))
	want := []string{answer1, "1234" + hex.EncodeToString(shorter[2:]), "1234" + hex.EncodeToString(stored[2:14]), ""}
	if got := ask(t, s, 4, query(t, dns.TypeA, false)); !slices.Equal(got, want) {
		t.Errorf("datagrams:\n got %q\nwant %q", got, want)
	}
}

func TestJunk(t *testing.T) {
	s := dnstest.Start(t, dnstest.Times(2, dnstest.Junk(42)))
	got := ask(t, s, 2, query(t, dns.TypeA, false))
	if len(got[0]) != 2*42 || got[0][:4] != "1234" || got[0] != got[1] {
		t.Errorf("got %q, want 42 octets that start with 1234, twice the same", got)
	}
}

func TestEDNS(t *testing.T) {
	s := dnstest.Start(t, dnstest.EDNS(dnstest.Silent, dnstest.A("192.0.2.1")))
	got := ask(t, s, 1, query(t, dns.TypeA, true), query(t, dns.TypeA, false))
	if got[0] != answer1 {
		t.Errorf("got %q, want %q", got[0], answer1)
	}
	if log := s.Queries(); len(log) != 2 || !log[0].EDNS || log[1].EDNS {
		t.Errorf("log %+v, want a query with EDNS, then one without", log)
	}
}
