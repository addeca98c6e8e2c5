package queries_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/load/queries"
)

// packed is a message of miekg's.
func packed(tb testing.TB, m *dns.Msg) []byte {
	tb.Helper()
	b, err := m.Pack()
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func framed(messages ...[]byte) string {
	var s []byte
	for _, m := range messages {
		s = append(binary.BigEndian.AppendUint16(s, uint16(len(m))), m...)
	}
	return string(s)
}

func TestReadStream(t *testing.T) {
	a := new(dns.Msg).SetQuestion("a.example.", dns.TypeAAAA)
	b := new(dns.Msg).SetQuestion("b.example.", dns.TypeTXT)
	b.SetEdns0(4096, true)
	update := new(dns.Msg).SetUpdate("example.")
	want := []*dns.Msg{a, b, update}
	var all [][]byte
	for _, m := range want {
		all = append(all, packed(t, m))
		m.Id = 0
	}
	// The default attributes are not for messages that are whole.
	o := queries.Options{Rounds: 1, Ask: queries.Ask{CD: true, DO: true}}
	got := messages(t, read(t, framed(all...), o).Part(0, 1, 0), 9)
	if len(got) != 3 {
		t.Fatalf("%d messages", len(got))
	}
	for k, m := range got {
		if m.String() != want[k].String() {
			t.Errorf("%s\nwant %s", m, want[k])
		}
	}
}

// A first message of 256 octets and more is not told from text.
func TestReadLongStream(t *testing.T) {
	m := new(dns.Msg).SetQuestion("a.example.", dns.TypeA)
	m.SetEdns0(4096, true)
	m.IsEdns0().Option = []dns.EDNS0{&dns.EDNS0_PADDING{Padding: make([]byte, 300)}}
	s := framed(packed(t, m))
	if got := names(t, read(t, s, queries.Options{Format: queries.Stream, Rounds: 1}).Part(0, 1, 0), 9); len(got) != 1 {
		t.Errorf("names %q", got)
	}
	_, err := queries.Read(strings.NewReader(s), "x", queries.Options{})
	fails(t, err, "x:1:")
}

func TestStreamErrors(t *testing.T) {
	good := packed(t, new(dns.Msg).SetQuestion("a.", dns.TypeA))
	response := packed(t, new(dns.Msg).SetReply(new(dns.Msg).SetQuestion("a.", dns.TypeA)))
	for _, test := range []struct {
		content string
		want    string
	}{
		{framed(good, response), "q.bin: message 2, at octet 21: a response"},
		{framed(good[:11]), "message 1, at octet 0: no DNS message"},
		{framed(good[:18]), "no DNS message with a question"},
		{framed(nil), "no DNS message"},
		{framed(good) + "\x00", "message 2, at octet 21: the input ends in it"},
		{framed(good, good)[:40], "message 2, at octet 21: the input ends in it"},
		{"\x00", "dnsperf -B"},
	} {
		_, err := queries.Read(strings.NewReader(test.content), "q.bin", queries.Options{})
		fails(t, err, test.want)
	}
	l := read(t, framed(response, good, response), queries.Options{SkipBad: true, Rounds: 1})
	if got := names(t, l.Part(0, 1, 0), 9); !slices.Equal(got, []string{"a."}) || l.Skipped().String() != "2 bad messages" {
		t.Errorf("names %q, skipped %s", got, l.Skipped())
	}
	_, err := queries.Read(strings.NewReader(""), "q.bin", queries.Options{Format: queries.Stream})
	fails(t, err, "q.bin has no queries; there has to be a message")
}
