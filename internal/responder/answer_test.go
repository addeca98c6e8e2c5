package responder

import (
	"bytes"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"
)

// ask sends one question to s with miekg's client.
func ask(tb testing.TB, s *Server, network string, m *dns.Msg) *dns.Msg {
	tb.Helper()
	c := &dns.Client{Net: network}
	r, _, err := c.Exchange(m, s.Addr().String())
	if err != nil {
		tb.Fatalf("%s %v: %v", network, m.Question, err)
	}
	return r
}

func question(name string, typ uint16) *dns.Msg {
	m := new(dns.Msg).SetQuestion(name, typ)
	return m.SetEdns0(4096, false)
}

// texts renders records without TTL, sorted.
func texts(rrs []dns.RR) []string {
	var out []string
	for _, rr := range rrs {
		if rr.Header().Rrtype != dns.TypeOPT {
			f := strings.Fields(rr.String())
			out = append(out, strings.Join(slices.Delete(f, 1, 3), " "))
		}
	}
	slices.Sort(out)
	return out
}

func TestAnswers(t *testing.T) {
	const soa = "example.com. SOA ns1.example.com. hostmaster.example.com. 2026010101 7200 3600 1209600 300"
	tests := []struct {
		name  string
		typ   uint16
		rcode int
		want  []string // answer, then authority, sorted
	}{
		{"example.com.", dns.TypeA, 0, []string{"example.com. A 192.0.2.1"}},
		{"EXAMPLE.com.", dns.TypeAAAA, 0, []string{"EXAMPLE.com. AAAA 2001:db8::1"}},
		{"example.com.", dns.TypeMX, 0, []string{"example.com. MX 10 mail.example.com.", "example.com. MX 20 mail.example.net."}},
		{"example.com.", dns.TypeNS, 0, []string{"example.com. NS ns1.example.com.", "example.com. NS ns2.example.com."}},
		{"example.com.", dns.TypeSOA, 0, []string{soa}},
		{"example.com.", dns.TypeCAA, 0, []string{`example.com. CAA 0 issue "ca.example.net"`, `example.com. CAA 128 iodef "mailto:hostmaster@example.com"`}},
		{"_sip._udp.example.com.", dns.TypeSRV, 0, []string{
			"_sip._udp.example.com. SRV 10 60 5060 ns1.example.com.", "_sip._udp.example.com. SRV 20 0 5061 mail.example.com.",
		}},
		{"txt.example.com.", dns.TypeTXT, 0, []string{`txt.example.com. TXT "v=spf1" " -all" "" "with \"quotes\" and \\"`}},
		{"octets.example.com.", dns.TypeTXT, 0, []string{`octets.example.com. TXT "\000\001\009\010\013\027[31m\127\128\255" "a;b(c)d@e$f'g"`}},
		{"alias.example.com.", dns.TypeA, 0, []string{"alias.example.com. CNAME www.example.com.", "www.example.com. A 192.0.2.80"}},
		{"alias.example.com.", dns.TypeCNAME, 0, []string{"alias.example.com. CNAME www.example.com."}},
		{"chain.example.com.", dns.TypeAAAA, 0, []string{
			"chain.example.com. CNAME chain1.example.com.", "chain1.example.com. CNAME chain2.example.com.", "chain2.example.com. CNAME chain3.example.com.",
			"chain3.example.com. CNAME www.example.com.", "www.example.com. AAAA 2001:db8::80",
		}},
		{"chain3.example.com.", dns.TypeMX, 0, []string{"chain3.example.com. CNAME www.example.com.", soa}},
		{"dangling.example.com.", dns.TypeA, dns.RcodeNameError, []string{"dangling.example.com. CNAME nobody.example.com.", soa}},
		{"abroad.example.com.", dns.TypeA, 0, []string{"abroad.example.com. CNAME www.example.net."}},
		{"loop.example.com.", dns.TypeA, 0, []string{"loop.example.com. CNAME loop1.example.com.", "loop1.example.com. CNAME loop.example.com."}},
		{"nobody.example.com.", dns.TypeA, dns.RcodeNameError, []string{soa}},
		{"a.www.example.com.", dns.TypeA, dns.RcodeNameError, []string{soa}},
		{"v4only.example.com.", dns.TypeAAAA, 0, []string{soa}},
		{"empty.example.com.", dns.TypeA, 0, []string{soa}}, // has TXT, and names below
		{"_tcp.example.com.", dns.TypeA, 0, []string{soa}},  // has only names below
		{"X.Y.wild.example.com.", dns.TypeA, 0, []string{"X.Y.wild.example.com. A 192.0.2.42"}},
		{"x.wild.example.com.", dns.TypeMX, 0, []string{soa}},
		{"q17.any.test.", dns.TypeTXT, 0, []string{`q17.any.test. TXT "any name"`}},
		{"81.2.0.192.in-addr.arpa.", dns.TypePTR, 0, []string{`81.2.0.192.in-addr.arpa. PTR a\027[31m\007b.example.com.`}},
		{"82.2.0.192.in-addr.arpa.", dns.TypePTR, 0, []string{`82.2.0.192.in-addr.arpa. PTR a\.b\010\;c.example.com.`}},
		{"opaque.example.com.", 65432, 0, []string{`opaque.example.com. TYPE65432 \# 0`}},
		{"example.net.", dns.TypeA, dns.RcodeRefused, nil},
		{".", dns.TypeNS, dns.RcodeRefused, nil},
	}
	s := start(t)
	for _, network := range []string{"udp", "tcp"} {
		for _, tt := range tests {
			t.Run(fmt.Sprint(network, "/", tt.name, dns.TypeToString[tt.typ]), func(t *testing.T) {
				m := question(tt.name, tt.typ)
				r := ask(t, s, network, m)
				if r.Rcode != tt.rcode || r.Authoritative != (tt.rcode != dns.RcodeRefused) || r.Truncated || !r.RecursionDesired {
					t.Errorf("header %v, want rcode %s", r.MsgHdr, dns.RcodeToString[tt.rcode])
				}
				if diff := cmp.Diff(m.Question, r.Question); diff != "" {
					t.Errorf("question (-want +got):\n%s", diff)
				}
				want := slices.Sorted(slices.Values(tt.want))
				if diff := cmp.Diff(want, texts(append(r.Answer, r.Ns...))); diff != "" {
					t.Errorf("records (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestAdditional(t *testing.T) {
	r := ask(t, start(t), "udp", question("example.com.", dns.TypeMX))
	want := []string{"mail.example.com. A 192.0.2.25", "mail.example.com. AAAA 2001:db8::25"}
	if diff := cmp.Diff(want, texts(r.Extra)); diff != "" {
		t.Errorf("additional (-want +got):\n%s", diff)
	}
}

// RFC 2308 3: a denial lives as long as the smaller of the SOA's TTL and its last field.
func TestDenialTTL(t *testing.T) {
	s := start(t)
	for _, tt := range []struct {
		name string
		typ  uint16
		ttl  uint32
	}{{"example.com.", dns.TypeSOA, 3600}, {"nobody.example.com.", dns.TypeA, 300}, {"example.com.", dns.TypePTR, 300}} {
		r := ask(t, s, "udp", question(tt.name, tt.typ))
		if ttl := append(r.Answer, r.Ns...)[0].Header().Ttl; ttl != tt.ttl {
			t.Errorf("%s %s: TTL %d, want %d", tt.name, dns.TypeToString[tt.typ], ttl, tt.ttl)
		}
	}
}

func TestAny(t *testing.T) {
	r := ask(t, start(t), "tcp", question("alias.example.com.", dns.TypeANY))
	if diff := cmp.Diff([]string{"alias.example.com. CNAME www.example.com."}, texts(r.Answer)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestTruncation(t *testing.T) {
	tests := []struct {
		name    string
		size    uint16 // 0: no EDNS
		network string
		tc      bool
		records int
	}{
		{"big.example.com.", 0, "udp", true, 0},
		{"big.example.com.", 1, "udp", true, 0},
		{"big.example.com.", 1232, "udp", true, 0},
		{"big.example.com.", 4096, "udp", false, 100},
		{"big.example.com.", 0, "tcp", false, 100},
		{"huge.example.com.", 4096, "udp", true, 0},
		{"huge.example.com.", 4096, "tcp", false, 512},
		{"www.example.com.", 1, "udp", false, 1}, // sizes below 512 are 512
	}
	s := start(t)
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.name, tt.size, tt.network), func(t *testing.T) {
			m := new(dns.Msg).SetQuestion(tt.name, dns.TypeA)
			if tt.size > 0 {
				m.SetEdns0(tt.size, false)
			}
			r := ask(t, s, tt.network, m)
			if r.Truncated != tt.tc || len(r.Answer) != tt.records || (r.IsEdns0() != nil) != (tt.size > 0) || !r.Authoritative {
				t.Errorf("tc %v with %d records, want %v with %d\n%v", r.Truncated, len(r.Answer), tt.tc, tt.records, r.MsgHdr)
			}
		})
	}
}

// The exact length is the limit: one octet less does not fit.
func TestTruncationBoundary(t *testing.T) {
	s := start(t)
	m := question("big.example.com.", dns.TypeA)
	m.Compress = true
	r := ask(t, s, "tcp", m)
	r.Compress = true
	size := uint16(r.Len())
	for _, tt := range []struct {
		size uint16
		tc   bool
	}{{size, false}, {size - 1, true}} {
		m.IsEdns0().SetUDPSize(tt.size)
		if r := ask(t, s, "udp", m); r.Truncated != tt.tc {
			t.Errorf("%d octets into %d: tc %v", size, tt.size, r.Truncated)
		}
	}
}

// What is cut off is not counted: of all additional records the OPT record is left.
func TestTruncationCounts(t *testing.T) {
	z, err := parseZone("$ORIGIN x.\n$TTL 1\n@ SOA a b 1 1 1 1 1\n$GENERATE 1-60 @ MX $ h$\n$GENERATE 1-60 h$ A 192.0.2.$\n")
	if err != nil {
		t.Fatal(err)
	}
	msg, err := new(dns.Msg).SetQuestion("x.", dns.TypeMX).SetEdns0(512, false).Pack()
	if err != nil {
		t.Fatal(err)
	}
	counts := func(reply []byte) []byte { return reply[4:headerLen] }
	if got, want := counts(z.appendReply(nil, msg, false)), []byte{0, 1, 0, 60, 0, 0, 0, 61}; !bytes.Equal(got, want) {
		t.Errorf("whole: counts %v, want %v", got, want)
	}
	if got, want := counts(z.appendReply(nil, msg, true)), []byte{0, 1, 0, 0, 0, 0, 0, 1}; !bytes.Equal(got, want) {
		t.Errorf("cut: counts %v, want %v", got, want)
	}
}

func TestEDNS(t *testing.T) {
	s := start(t)
	m := new(dns.Msg).SetQuestion("example.com.", dns.TypeA).SetEdns0(4096, true)
	m.CheckingDisabled = true
	r := ask(t, s, "udp", m)
	if o := r.IsEdns0(); o == nil || !o.Do() || o.UDPSize() != udpSize || !r.CheckingDisabled {
		t.Errorf("with DO: %v", r)
	}
	m.IsEdns0().SetVersion(1)
	if r := ask(t, s, "udp", m); r.Rcode != dns.RcodeBadVers || len(r.Answer) != 0 {
		t.Errorf("version 1: %v", r)
	}
	m = new(dns.Msg).SetQuestion("version.bind.", dns.TypeTXT)
	m.Question[0].Qclass = dns.ClassCHAOS
	if r := ask(t, s, "udp", m); r.Rcode != dns.RcodeRefused || r.IsEdns0() != nil {
		t.Errorf("class CH: %v", r)
	}
}

func TestOddQueries(t *testing.T) {
	packed := func(m *dns.Msg, edit func([]byte) []byte) []byte {
		msg, err := m.Pack()
		if err != nil {
			t.Fatal(err)
		}
		return edit(msg)
	}
	a := new(dns.Msg).SetQuestion("example.com.", dns.TypeA)
	same := func(b []byte) []byte { return b }
	twice := question("example.com.", dns.TypeA)
	twice.Extra = append(twice.Extra, twice.Extra[0])
	tests := []struct {
		name  string
		msg   []byte
		rcode int // -1: no reply
	}{
		{"empty", nil, -1},
		{"11 octets", make([]byte, 11), -1},
		{"a response", packed(a, func(b []byte) []byte { b[2] |= 0x80; return b }), -1},
		{"no question", make([]byte, 12), dns.RcodeFormatError},
		{"two questions", packed(a, func(b []byte) []byte { b[5] = 2; return append(b, b[12:]...) }), dns.RcodeFormatError},
		{"cut question", packed(a, func(b []byte) []byte { return b[:len(b)-1] }), dns.RcodeFormatError},
		{"pointer", packed(a, func(b []byte) []byte { b[12] = 0xc0; return b }), dns.RcodeFormatError},
		{"label runs out", packed(a, func(b []byte) []byte { b[12] = 63; return b }), dns.RcodeFormatError},
		{"name of 256", packed(a, func(b []byte) []byte {
			return append(append(b[:12], strings.Repeat("\x01a", 128)...), 0, 0, 1, 0, 1)
		}), dns.RcodeFormatError},
		{"an answer", packed(a, func(b []byte) []byte { b[7] = 1; return b }), dns.RcodeFormatError},
		{"missing OPT", packed(a, func(b []byte) []byte { b[11] = 1; return b }), dns.RcodeFormatError},
		{"two OPT", packed(twice, same), dns.RcodeFormatError},
		{"cut OPT", packed(question("example.com.", 1), func(b []byte) []byte { b[len(b)-1] = 1; return b }), dns.RcodeFormatError},
		{"status", packed(a, func(b []byte) []byte { b[2] |= 2 << 3; return b }), dns.RcodeNotImplemented},
		{"good", packed(a, same), dns.RcodeSuccess},
	}
	s := start(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := net.Dial("udp", s.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			// The same socket gets a good query's reply next: where no reply is due that is the first one.
			last := packed(a, same)
			last[0], last[1] = 0xab, 0xcd
			c.Write(tt.msg)
			c.Write(last)
			want := 2
			if tt.rcode < 0 {
				want = 1
			}
			got := map[uint16]int{}
			for range want {
				buf := make([]byte, 512)
				n, err := c.Read(buf)
				if err != nil || n < 12 {
					t.Fatal(n, err)
				}
				got[uint16(buf[0])<<8|uint16(buf[1])] = int(buf[3] & 15)
			}
			rcodes := map[uint16]int{0xabcd: 0}
			if tt.rcode >= 0 {
				rcodes[uint16(tt.msg[0])<<8|uint16(tt.msg[1])] = tt.rcode
			}
			if diff := cmp.Diff(rcodes, got); diff != "" {
				t.Errorf("rcodes by ID (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever comes in, what goes out can be unpacked and is no longer than allowed.
func FuzzAppendReply(f *testing.F) {
	z, err := loadZone()
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range []string{"example.com.", "big.example.com.", "x.any.test.", "chain.example.com."} {
		msg, err := question(name, dns.TypeA).Pack()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(msg)
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		for _, udp := range []bool{true, false} {
			reply := z.appendReply(nil, msg, udp)
			if len(reply) == 0 {
				continue
			}
			if err := new(dns.Msg).Unpack(reply); err != nil {
				t.Fatalf("%x: %v", reply, err)
			}
			if !udp || len(reply) <= 512 {
				continue
			}
			var q query
			if !q.parse(msg) || len(reply) > q.size {
				t.Fatalf("%d octets for a client that takes %d", len(reply), q.size)
			}
		}
	})
}

func TestAppendReplyAllocations(t *testing.T) {
	z, err := loadZone()
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 0, 4096)
	for _, name := range []string{"example.com.", "A.b.any.test.", "nobody.example.com."} {
		msg, err := question(name, dns.TypeA).Pack()
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { z.appendReply(out, msg, true) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkAppendReply(b *testing.B) {
	z, err := loadZone()
	if err != nil {
		b.Fatal(err)
	}
	msg, err := question("x.any.test.", dns.TypeA).Pack()
	if err != nil {
		b.Fatal(err)
	}
	out := make([]byte, 0, 4096)
	for b.Loop() {
		z.appendReply(out, msg, true)
	}
}
