package resolver_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// TestLargeCompressedReply has owners that occur first behind what a pointer can reach, and again after that (c-ares#1159).
func TestLargeCompressedReply(t *testing.T) {
	text := strings.Repeat("x", 200)
	var records []string
	for i := range 90 {
		records = append(records, fmt.Sprintf("owner%d.example.net. 60 IN TXT %s", i, text))
	}
	for i := range 4 {
		records = append(records, fmt.Sprintf("late%d.example.net. 60 IN A 192.0.2.%d", i/2, i))
	}
	everywhere(t, withTCP(func(t *testing.T, w *world) {
		a := ask(t, w.resolver(t, nil, w.server(t, dnstest.Answer(records...)).Addr()), resolver.OverTCP)
		m, err := a.Msg()
		if err != nil || len(a.Raw) <= 1<<14 || len(m.Answer) != len(records) {
			t.Fatalf("%d octets decode to %d records, %v", len(a.Raw), len(m.Answer), err)
		}
		for i, rr := range m.Answer {
			if want, _ := dns.NewRR(records[i]); rr.String() != want.String() {
				t.Errorf("record %d is %v, want %v", i, rr, want)
			}
		}
	}))
}

// largest is a message with as many different owners of five labels as fit.
func largest() *dns.Msg {
	m := new(dns.Msg).SetQuestion("www.example.com.", dns.TypeA)
	m.Compress = true
	for i := range 1600 {
		name := fmt.Sprintf("a%d.b%d.c%d.d%d.example.", i, i*7, i*11, i*13)
		m.Extra = append(m.Extra, &dns.A{Hdr: dns.RR_Header{Name: name, Rrtype: dns.TypeA, Class: dns.ClassINET}, A: []byte{192, 0, 2, 1}})
	}
	return m
}

// TestPackingIsCheap: ExchangeMsg packs with miekg/dns, whatever the caller put in (RUSTSEC-2026-0119, CVE-2024-8508).
func TestPackingIsCheap(t *testing.T) {
	m, least := largest(), time.Hour
	var packed []byte
	for range 5 {
		began := time.Now()
		var err error
		if packed, err = m.Pack(); err != nil {
			t.Fatal(err)
		}
		least = min(least, time.Since(began))
	}
	if n := len(packed); n > 65535 || n < 60000 {
		t.Fatalf("the message has %d octets", n)
	}
	if limit := 20 * time.Millisecond; least > limit && !raceDetector {
		t.Errorf("packing took %v, want at most %v", least, limit)
	}
}

// TestLargeQuery goes over TCP where a datagram cannot hold it.
func TestLargeQuery(t *testing.T) {
	everywhere(t, withTCP(func(t *testing.T, w *world) {
		m := new(dns.Msg).SetQuestion("www.example.com.", dns.TypeA)
		head := dns.RR_Header{Name: ".", Rrtype: 65432, Class: dns.ClassINET}
		m.Extra = []dns.RR{&dns.RFC3597{Hdr: head, Rdata: strings.Repeat("a5", 65480)}}
		s := w.server(t, dnstest.A(rightAddr))
		reply, err := w.resolver(t, nil, s.Addr()).ExchangeMsg(context.Background(), m)
		if err != nil || len(reply.Answer) != 1 || reply.Id != m.Id {
			t.Fatalf("%v, %v", reply, err)
		}
		if q := s.Queries(); len(q) != 1 || q[0].Transport != dnstest.TCP || len(q[0].Msg) != m.Len() {
			t.Errorf("%d queries came, want the one message over TCP", len(q))
		}
	}))
}
