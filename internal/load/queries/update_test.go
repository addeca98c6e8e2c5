package queries_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/load/queries"
)

// blocks has every kind of line that dnsperf's manual shows.
const blocks = `; comment
example.com
require a
require a A
require a A 1.2.3.4
prohibit x
prohibit x A
add x 3600 A 10.1.2.3
delete y A 10.1.2.3
delete z A
delete w
send

example.org.
add www.example.org. 60 TXT "a ; b" c
add mail 60 MX 10 mx
DELETE other CNAME target.example.net.
Send
`

func record(t *testing.T, s string) dns.RR {
	t.Helper()
	rr, err := dns.NewRR(s)
	if err != nil {
		t.Fatal(err)
	}
	return rr
}

// updateMessages are blocks as miekg/dns makes them.
func updateMessages(t *testing.T) []*dns.Msg {
	first := new(dns.Msg).SetUpdate("example.com.")
	first.NameUsed([]dns.RR{record(t, "a.example.com. A 0.0.0.0")})
	first.RRsetUsed([]dns.RR{record(t, "a.example.com. A 0.0.0.0")})
	first.Used([]dns.RR{record(t, "a.example.com. 0 A 1.2.3.4")})
	first.NameNotUsed([]dns.RR{record(t, "x.example.com. A 0.0.0.0")})
	first.RRsetNotUsed([]dns.RR{record(t, "x.example.com. A 0.0.0.0")})
	first.Insert([]dns.RR{record(t, "x.example.com. 3600 A 10.1.2.3")})
	first.Remove([]dns.RR{record(t, "y.example.com. A 10.1.2.3")})
	first.RemoveRRset([]dns.RR{record(t, "z.example.com. A 0.0.0.0")})
	first.RemoveName([]dns.RR{record(t, "w.example.com. A 0.0.0.0")})
	second := new(dns.Msg).SetUpdate("example.org.")
	second.Insert([]dns.RR{
		record(t, `www.example.org. 60 TXT "a ; b" "c"`), record(t, "mail.example.org. 60 MX 10 mx.example.org."),
	})
	second.Remove([]dns.RR{record(t, "other.example.org. CNAME target.example.net.")})
	return []*dns.Msg{first, second}
}

// content is what a message says, however it was compressed.
func content(t *testing.T, m *dns.Msg) string {
	t.Helper()
	m = m.Copy()
	m.Id, m.Compress = 0, false
	b := packed(t, m)
	again := new(dns.Msg)
	if err := again.Unpack(b); err != nil {
		t.Fatal(err)
	}
	return again.String()
}

func TestReadUpdates(t *testing.T) {
	want := updateMessages(t)
	for text, ask := range map[string]queries.Ask{blocks: {}, strings.ReplaceAll(blocks, "\n", "\r\n"): {EDNS: true, DO: true}} {
		l := read(t, text, queries.Options{Format: queries.Update, Rounds: 1, Ask: ask})
		got := messages(t, l.Part(0, 1, 0), 9)
		if len(got) != len(want) {
			t.Fatalf("%d updates", len(got))
		}
		for k, m := range got {
			w := want[k].Copy()
			if ask.EDNS {
				w.SetEdns0(1232, true)
			}
			if diff := cmp.Diff(content(t, w), content(t, m)); diff != "" {
				t.Errorf("update %d: %s", k, diff)
			}
		}
	}
}

func TestUpdateNames(t *testing.T) {
	for zone, names := range map[string][2]string{
		"example.com": {"@", "example.com."}, ".": {"@", "."}, "example.com.": {"a.b", "a.b.example.com."}, "com": {`$GENERATE`, "$GENERATE.com."},
		"org": {"a.", "a."}, "net": {`a\.b\000`, `a\.b\000.net.`},
	} {
		text := zone + "\nadd " + names[0] + " 1 TYPE65280 \\# 2 abcd\ndelete " + names[0] + " NS ns\nsend\n"
		m := messages(t, read(t, text, queries.Options{Format: queries.Update, Rounds: 1}).Part(0, 1, 0), 1)[0]
		if got := m.Ns[0].Header().Name; got != names[1] || m.Ns[1].Header().Name != names[1] {
			t.Errorf("zone %s, name %s: %s, want %s", zone, names[0], got, names[1])
		}
		if got := strings.TrimSuffix(dns.Fqdn("ns."+zone), ".") + "."; strings.Replace(got, "..", ".", 1) != m.Ns[1].(*dns.NS).Ns {
			t.Errorf("zone %s: %s", zone, m.Ns[1])
		}
	}
}

func TestUpdateErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"example.com A\nsend\n", `u:1: "A" stands behind the zone`},
		{"a..b\nsend\n", `u:1: name "a..b"`},
		{"bücher.example\nsend\n", "xn-- form"},
		{"z\nremove a\n", `u:2: "remove" is unknown; a block has lines of require`},
		{"z\nadd\n", "name or TTL is missing; write such as: add www 3600 A"},
		{"z\nadd a A 1.2.3.4\n", `TTL "A" is no number of seconds`},
		{"z\nadd a -1 A 1.2.3.4\n", "TTL"},
		{"z\nadd a 4294967296 A 1.2.3.4\n", "TTL"},
		{"z\nadd a 1\n", "type or data is missing"},
		{"z\nadd a 1 A\n", "type or data is missing"},
		{"z\nadd a 1 A 1.2.3\n", `"1.2.3" is no data of type A`},
		{"z\nadd a 1 A 1.2.3.4 1.2.3.5\n", "no data of type A"},
		{"z\nadd a 1 TXT ( \"x\"\n", "no data of type TXT"},
		{"z\nadd a 1 B x\n", `type "B" is unknown`},
		{"z\nadd a..b 1 A 1.2.3.4\n", "one dot"},
		{"z\ndelete\n", "write such as: delete www"},
		{"z\nrequire\n", "write such as: require www"},
		{"z\nprohibit a A 1.2.3.4\n", "prohibit takes no data"},
		{"z\nadd a 1 A 1.2.3.4\nrequire a\n", "u:3: require and prohibit stand before"},
		{"z\ndelete a\n", "u:2: the last block does not end; write a line of: send"},
		{"z\n" + strings.Repeat("add a 1 TXT "+strings.Repeat(`"`+strings.Repeat("x", 250)+`" `, 100)+"\n", 3) + "send\n", "no message"},
		{"; none\n", "u has no queries; write blocks"},
	} {
		_, err := queries.Read(strings.NewReader(test.text), "u", queries.Options{Format: queries.Update})
		fails(t, err, test.want)
	}
}

// One bad line is one block less.
func TestSkipBadUpdates(t *testing.T) {
	const text = "a..b\nadd x 1 A x\nsend\nb\nadd x 1 A x\nwrong\nsend\nc\ndelete x\nsend\nd\ndelete x\n"
	l := read(t, text, queries.Options{Format: queries.Update, Rounds: 1, SkipBad: true})
	if got := strings.Join(names(t, l.Part(0, 1, 0), 9), ""); got != "c." || l.Skipped()[0].Count != 3 {
		t.Errorf("zones %s, skipped %s", got, l.Skipped())
	}
}
