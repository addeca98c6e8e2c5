package wire_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/wire"
)

// msgWith returns a response with these records.
func msgWith(answer, ns, extra []dns.RR) *dns.Msg {
	m := new(dns.Msg)
	m.SetQuestion("www.example.com.", dns.TypeA)
	m.Response = true
	m.Answer, m.Ns, m.Extra = answer, ns, extra
	return m
}

// compare packs m and holds Check and Walk against what went in.
func compare(t *testing.T, m *dns.Msg) {
	t.Helper()
	msg, err := m.Pack()
	if err != nil {
		t.Fatalf("pack: %v", err)
	}
	info, err := wire.Check(msg)
	if err != nil {
		t.Fatalf("Check: %v in\n%v\n%x", err, m, msg)
	}
	if info.End != len(msg) || info.ID != m.Id || int(info.QD) != len(m.Question) {
		t.Errorf("%+v for %d octets of\n%v", info, len(msg), m)
	}
	w := wire.Walk(msg)
	for section, rrs := range [][]dns.RR{m.Answer, m.Ns, m.Extra} {
		for _, rr := range rrs {
			r, ok := w.Next()
			if !ok {
				t.Fatalf("no record for %v: %v", rr, w.Err())
			}
			compareRecord(t, msg, r, section, rr)
		}
	}
	if r, ok := w.Next(); ok || w.Err() != nil {
		t.Errorf("%+v, %v behind the last record", r, w.Err())
	}
}

func compareRecord(t *testing.T, msg []byte, r wire.Record, section int, rr dns.RR) {
	t.Helper()
	h := rr.Header()
	if r.Type != h.Rrtype || r.Class != h.Class || r.TTL != h.Ttl || int(r.Section) != section {
		t.Errorf("%+v for %v", r, rr)
	}
	owner, err := wire.AppendName(nil, h.Name)
	if err != nil || !wire.NamesEqual(msg, r.Owner, owner, 0) {
		t.Errorf("owner at %d is not that of %v (%v)", r.Owner, rr, err)
	}
	// The octets from the owner on are the record: miekg's own reader finds it there.
	back, end, err := dns.UnpackRR(msg, r.Owner)
	if err != nil || end != r.End || back.String() != rr.String() {
		t.Errorf("%v, end %d, %v, want %v, end %d", back, end, err, rr, r.End)
	}
}

func TestEveryType(t *testing.T) {
	for _, rr := range records(t) {
		for _, compress := range []bool{false, true} {
			m := msgWith([]dns.RR{rr, rr}, []dns.RR{rr}, nil)
			m.Compress = compress
			compare(t, m)
		}
	}
}

func TestRandomMessages(t *testing.T) {
	all := records(t)
	random := rand.New(rand.NewPCG(1, 2))
	some := func() []dns.RR {
		rrs := make([]dns.RR, random.IntN(30))
		for i := range rrs {
			rrs[i] = dns.Copy(all[random.IntN(len(all))])
			rrs[i].Header().Name = dns.Fqdn(randomName(random))
			rrs[i].Header().Ttl = random.Uint32()
		}
		return rrs
	}
	for range 500 {
		m := msgWith(some(), some(), some())
		m.Compress = random.IntN(4) != 0
		if random.IntN(2) == 0 {
			m.SetEdns0(4096, true)
		}
		compare(t, m)
	}
}

// randomName has labels from a small alphabet, so that suffixes repeat, and now and then any octet.
func randomName(random *rand.Rand) string {
	labels := make([]string, random.IntN(8))
	for i := range labels {
		labels[i] = []string{"www", "EXAMPLE", "example", "com", "a", `\000\.\255`, strings.Repeat("x", 20)}[random.IntN(7)]
	}
	return strings.Join(labels, ".")
}

func TestEDNSOptions(t *testing.T) {
	m := msgWith(nil, nil, nil)
	opt := new(dns.OPT)
	opt.Hdr.Name, opt.Hdr.Rrtype = ".", dns.TypeOPT
	opt.SetUDPSize(1400)
	opt.SetDo()
	opt.SetVersion(1)
	opt.Option = []dns.EDNS0{
		&dns.EDNS0_NSID{Code: dns.EDNS0NSID, Nsid: "ABCD"},
		&dns.EDNS0_COOKIE{Code: dns.EDNS0COOKIE, Cookie: "0102030405060708"},
		&dns.EDNS0_EDE{InfoCode: 3, ExtraText: "stale"},
		&dns.EDNS0_PADDING{Padding: make([]byte, 31)},
		&dns.EDNS0_LOCAL{Code: 65001},
	}
	m.Extra = append(m.Extra, opt)
	m.Rcode = dns.RcodeBadCookie
	msg, err := m.Pack()
	if err != nil {
		t.Fatal(err)
	}
	info, err := wire.Check(msg)
	if err != nil || !info.OPT || info.UDPSize != 1400 || !info.DNSSECOK || info.Version != 1 || info.Rcode != dns.RcodeBadCookie {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestTSIG(t *testing.T) {
	m := new(dns.Msg)
	m.SetQuestion("example.com.", dns.TypeSOA)
	m.SetTsig("key.example.com.", dns.HmacSHA256, 300, time.Now().Unix())
	msg, _, err := dns.TsigGenerate(m, "AQID", "", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wire.Check(msg); err != nil {
		t.Errorf("%v: %x", err, msg)
	}
}

// What first stands behind the 16,384th octet cannot be pointed to.
func TestNamesBeyondPointers(t *testing.T) {
	var rrs []dns.RR
	for i := range 90 {
		rrs = append(rrs, &dns.TXT{
			Hdr: dns.RR_Header{Name: fmt.Sprintf("n%d.example.com.", i), Rrtype: dns.TypeTXT, Class: dns.ClassINET},
			Txt: []string{strings.Repeat("x", 200)},
		})
	}
	for range 2 {
		rrs = append(rrs, &dns.NS{
			Hdr: dns.RR_Header{Name: "far.off.example.org.", Rrtype: dns.TypeNS, Class: dns.ClassINET},
			Ns:  "ns.far.off.example.org.",
		})
	}
	m := msgWith(rrs, nil, nil)
	m.Compress = true
	compare(t, m)
}

// As many records with owners of their own as there is room for.
func TestManyOwners(t *testing.T) {
	var rrs []dns.RR
	for i := range 2000 {
		rrs = append(rrs, &dns.A{
			Hdr: dns.RR_Header{Name: fmt.Sprintf("a%d.b%d.c%d.d%d.example.", i, i/3, i/7, i/11), Rrtype: dns.TypeA, Class: dns.ClassINET},
			A:   []byte{192, 0, 2, byte(i)},
		})
	}
	m := msgWith(rrs, nil, nil)
	m.Compress = true
	compare(t, m)
}

// Strings of a TXT record stay apart, and an empty one is kept.
func TestTXTStrings(t *testing.T) {
	for _, want := range [][]string{{"v=sp1", "-all2"}, {"v=sp1-all2"}, {""}, {"", ""}, {"a", ""}} {
		m := msgWith([]dns.RR{&dns.TXT{Hdr: dns.RR_Header{Name: "a.", Rrtype: dns.TypeTXT, Class: dns.ClassINET}, Txt: want}}, nil, nil)
		msg, err := m.Pack()
		if err != nil {
			t.Fatal(err)
		}
		w := wire.Walk(msg)
		r, _ := w.Next()
		var got []string
		for data := msg[r.Data:r.End]; len(data) > 0; data = data[1+data[0]:] {
			got = append(got, string(data[1:1+data[0]]))
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
