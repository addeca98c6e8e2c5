package queries_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/load/queries"
)

func question(name string, typ uint16) dns.Question {
	return dns.Question{Name: name, Qtype: typ, Qclass: dns.ClassINET}
}

func TestReadText(t *testing.T) {
	long := strings.Repeat(strings.Repeat("a", 63)+".", 3) + strings.Repeat("b", 61) + "."
	for _, test := range []struct {
		text string
		want []dns.Question
	}{
		{"example.com A\n", []dns.Question{question("example.com.", 1)}},
		{"example.com. A", []dns.Question{question("example.com.", 1)}},
		{"\uFEFFexample.com\taaaa\r\n\r\n", []dns.Question{question("example.com.", dns.TypeAAAA)}},
		{"; comment\n\n# comment\n  ;\n a.example  MX ; why\n", []dns.Question{question("a.example.", dns.TypeMX)}},
		{"b\nA A\n. ns\n", []dns.Question{question("b.", 1), question("A.", 1), question(".", dns.TypeNS)}},
		{"x TYPE65280\ny type1\nz ANY\n", []dns.Question{question("x.", 65280), question("y.", 1), question("z.", dns.TypeANY)}},
		{"version.bind CH TXT\nx IN A\ny class254 soa\n", []dns.Question{
			{Name: "version.bind.", Qtype: dns.TypeTXT, Qclass: dns.ClassCHAOS}, question("x.", 1), {Name: "y.", Qtype: dns.TypeSOA, Qclass: 254},
		}},
		{`a\.b.c\046d\000 A`, []dns.Question{question(`a\.b.c\.d\000.`, 1)}},
		{long + " A\n", []dns.Question{question(long, 1)}},
		{"a;b A\n", []dns.Question{question(`a\;b.`, 1)}},
		{"nsec3param-type NSEC3PARAM\n", []dns.Question{question("nsec3param-type.", dns.TypeNSEC3PARAM)}},
	} {
		l := read(t, test.text, queries.Options{Rounds: 1})
		var got []dns.Question
		for _, m := range messages(t, l.Part(0, 1, 0), 99) {
			got = append(got, m.Question...)
			if !m.RecursionDesired || m.IsEdns0() != nil {
				t.Errorf("%q: not as dnsperf asks: %s", test.text, m)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" || l.Len() != len(test.want) || l.Timed() {
			t.Errorf("%q: %d queries, timed %v, %s", test.text, l.Len(), l.Timed(), diff)
		}
	}
}

// What miekg/dns has a type for can be written by its name.
func TestEveryType(t *testing.T) {
	for name, typ := range dns.StringToType {
		got, err := queries.ParseType(strings.ToLower(name))
		switch name {
		case "None", "Reserved", "OPT", "TSIG", "TKEY":
			fails(t, err, "unknown")
		default:
			if got != typ || err != nil {
				t.Errorf("%s: %d, %v, want %d", name, got, err, typ)
			}
		}
	}
}

func TestTextErrors(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"a A\n\nexample.com AAAAA\n", []string{`queries.txt:3: type "AAAAA" is unknown; write a name and a type such as: example.com A`}},
		{"a TYPE65536", []string{":1:", `type "TYPE65536" is unknown`}},
		{"a TYPE", []string{`type "TYPE" is unknown`}},
		{"a " + strings.Repeat("X", 99999), []string{`type "XXXX`, "unknown"}},
		{"a AAAAAAAAAAAAAAAAA", []string{"unknown"}},
		{"a TYPE0000000000011", []string{"unknown"}},
		{"a TYPE41", []string{`type "TYPE41" is unknown`}},
		{"a TYPE0", []string{"unknown"}},
		{"a OPT", []string{`type "OPT" is unknown`}},
		{"a CH", []string{"class", "no type behind it"}},
		{"a..b A", []string{`name "a..b"`, "one dot"}},
		{".a A", []string{"one dot"}},
		{strings.Repeat("a", 64) + ".b A", []string{"63 octets", " and 6 more"}},
		{strings.Repeat("abc.", 64) + " A", []string{"255 octets"}},
		{`a\25 A`, []string{"backslash"}},
		{`a\256 A`, []string{"backslash"}},
		{`a\`, []string{"backslash"}},
		{"müller.de A", []string{`"müller.de"`, "xn-- form"}},
		{"a\x1b[31m A", []string{`"a\x1b[31m"`, `\027`}},
		{"a A x", []string{`"x" stands behind the type`, "+do"}},
		{"a A +dnssec", []string{`"+dnssec" is unknown`, "+do"}},
		{"a A +do=1", []string{`"+do=1" has a value`}},
		{"a A +nonoedns", []string{"unknown"}},
		{"a A +edns=511", []string{"+edns=", "1232"}},
		{"a A +edns=65536", []string{"65535"}},
		{"a A +ecs=1.2.3", []string{"+ecs=192.0.2.0/24"}},
		{"a A +ecs", []string{"no subnet"}},
		{"a A +ecs=192.0.2.0/33", []string{"no subnet"}},
		{"a A +opt=1", []string{"65001:cafe"}},
		{"a A +opt=70000:", []string{"65001:cafe"}},
		{"a A +opt=1:abc", []string{"two an octet"}},
		{"a A +opt=1:" + strings.Repeat("00", 4093), []string{"4096"}},
		{"a A" + strings.Repeat(" +opt=1:"+strings.Repeat("00", 1021), 4), []string{"4096"}},
		{"x A\n" + strings.Repeat("a", 1<<20), []string{"queries.txt: line 2 is longer"}},
		{"", []string{"queries.txt has no queries; write a name"}},
		{"; nothing\n", []string{"has no queries"}},
	} {
		_, err := queries.Read(strings.NewReader(test.text), "queries.txt", queries.Options{})
		fails(t, err, test.want...)
		if err != nil && len(err.Error()) > 400 {
			t.Errorf("%.40q: an error of %d octets", test.text, len(err.Error()))
		}
	}
}

func TestSkipBad(t *testing.T) {
	l := read(t, "a A\nb B B\nc..d A\n\ne A\n", queries.Options{SkipBad: true, Rounds: 1})
	if got := names(t, l.Part(0, 1, 0), 99); !slices.Equal(got, []string{"a.", "e."}) {
		t.Errorf("names %q", got)
	}
	if got, want := l.String(), "queries.txt: 2 queries, skipped: 2 bad lines"; got != want || l.Skipped()[0].Count != 2 {
		t.Errorf("%q, want %q", got, want)
	}
	_, err := queries.Read(strings.NewReader("a B\n"), "x", queries.Options{SkipBad: true})
	fails(t, err, "x has no queries (skipped: 1 bad lines)")
}

// Lines are read by blocks of a mebibyte; none may be lost, joined or counted wrong where one ends.
func TestBlocks(t *testing.T) {
	var text strings.Builder
	var want []string
	for k := range 90_000 {
		name := fmt.Sprintf("%s%d.", strings.Repeat("x", k%40), k)
		fmt.Fprintln(&text, name, "A")
		want = append(want, name)
	}
	o := queries.Options{Rounds: 1}
	l, err := queries.Read(iotest.HalfReader(strings.NewReader(text.String())), "x", o)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, l.Part(0, 1, 0), len(want)+1); !slices.Equal(got, want) {
		t.Errorf("%d names, want %d", len(got), len(want))
	}
	_, err = queries.Read(strings.NewReader(text.String()+"bad bad\n"), "x", o)
	fails(t, err, "x:90001:")
}

func TestReadFails(t *testing.T) {
	broken := errors.New("broken")
	for _, good := range []string{"", "a A\n"} {
		_, err := queries.Read(io.MultiReader(strings.NewReader(good), iotest.ErrReader(broken)), "x", queries.Options{})
		if !errors.Is(err, broken) {
			t.Errorf("%q and an error: %v", good, err)
		}
	}
	_, err := queries.Open(filepath.Join(t.TempDir(), "none"), queries.Options{})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestOpen(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("example.com MX\n"))
	z.Close()
	for _, content := range []string{"example.com MX\n", packed.String()} {
		path := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := queries.Open(path, queries.Options{Rounds: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := l.String(), path+": 1 query"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := names(t, l.Part(0, 1, 0), 9); !slices.Equal(got, []string{"example.com."}) {
			t.Errorf("names %q", got)
		}
	}
	_, err := queries.Read(strings.NewReader("\x1F\x8Bx"), "x.gz", queries.Options{})
	fails(t, err, "x.gz: ")
}
