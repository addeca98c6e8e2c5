package queries_test

import (
	"encoding/hex"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/load/queries"
)

// told is what of a query stands in TextHelp, in one line.
func told(m *dns.Msg) string {
	var words []string
	add := func(set bool, word string) {
		if set {
			words = append(words, word)
		}
	}
	add(m.RecursionDesired, "rd")
	add(m.AuthenticatedData, "ad")
	add(m.CheckingDisabled, "cd")
	opt := m.IsEdns0()
	if opt == nil {
		return strings.Join(words, " ")
	}
	words = append(words, "edns="+strconv.Itoa(int(opt.UDPSize())))
	add(opt.Do(), "do")
	for _, o := range opt.Option {
		switch o := o.(type) {
		case *dns.EDNS0_NSID:
			words = append(words, "nsid"+o.Nsid)
		case *dns.EDNS0_SUBNET:
			words = append(words, "ecs="+o.Address.String()+"/"+strconv.Itoa(int(o.SourceNetmask)))
		case *dns.EDNS0_LOCAL:
			words = append(words, strconv.Itoa(int(o.Code))+":"+hex.EncodeToString(o.Data))
		case *dns.EDNS0_COOKIE:
			words = append(words, "cookie:"+o.Cookie)
		}
	}
	return strings.Join(words, " ")
}

func TestAttributes(t *testing.T) {
	all := queries.Ask{
		NoRD: true, AD: true, CD: true, Size: 4096, DO: true, NSID: true, ECS: netip.MustParsePrefix("2001:db8::/56"),
		Extra: []queries.Option{{Code: 65001, Data: []byte{1}}},
	}
	const allTold = "ad cd edns=4096 do nsid ecs=2001:db8::/56 65001:01"
	for _, test := range []struct {
		ask   queries.Ask
		words string
		want  string
	}{
		{queries.Ask{}, "", "rd"},
		{queries.Ask{}, "+edns", "rd edns=1232"},
		{queries.Ask{}, "+edns=4096", "rd edns=4096"},
		{queries.Ask{}, "E", "rd edns=1232"},
		{queries.Ask{}, "D", "rd edns=1232 do"},
		{queries.Ask{}, "+do +cd +ad ; comment", "rd ad cd edns=1232 do"},
		{queries.Ask{}, "+nord", ""},
		{queries.Ask{}, "+nsid", "rd edns=1232 nsid"},
		{queries.Ask{}, "+ecs=192.0.2.129/25", "rd edns=1232 ecs=192.0.2.128/25"},
		{queries.Ask{}, "+ecs=192.0.2.129/17", "rd edns=1232 ecs=192.0.0.0/17"},
		{queries.Ask{}, "+ecs=192.0.2.1", "rd edns=1232 ecs=192.0.2.1/32"},
		{queries.Ask{}, "+ecs=0.0.0.0/0", "rd edns=1232 ecs=0.0.0.0/0"},
		{queries.Ask{}, "+ecs=2001:db8:1:ff::/56", "rd edns=1232 ecs=2001:db8:1::/56"},
		{queries.Ask{}, "+opt=65001:CAfe +opt=65002:", "rd edns=1232 65001:cafe 65002:"},
		{queries.Ask{}, "+opt=10:0102030405060708", "rd edns=1232 cookie:0102030405060708"},
		{queries.Ask{}, "+do +noedns +cd", "rd cd"},
		{all, "", allTold},
		{all, "+opt=65002:02", allTold + " 65002:02"},
		{all, "+noedns +rd +noad +nocd", "rd"},
		{all, "+nodo +nonsid +noecs +noopt", "ad cd edns=4096"},
		{all, "+noedns +edns", "ad cd edns=1232"},
		{queries.Ask{EDNS: true}, "", "rd edns=1232"},
	} {
		// The line before and behind: one's attributes are not the next one's.
		text := "a A\nb A " + test.words + "\nc A\n"
		ms := messages(t, read(t, text, queries.Options{Ask: test.ask, Rounds: 1}).Part(0, 1, 0), 9)
		if len(ms) != 3 {
			t.Fatalf("%q: %d messages", text, len(ms))
		}
		if got := told(ms[1]); got != test.want {
			t.Errorf("%q: %q, want %q", test.words, got, test.want)
		}
		plain := told(messages(t, read(t, "a A", queries.Options{Ask: test.ask}).Part(0, 1, 0), 1)[0])
		if told(ms[0]) != plain || told(ms[2]) != plain {
			t.Errorf("%q: the lines around it have %q and %q, want %q", test.words, told(ms[0]), told(ms[2]), plain)
		}
	}
}

// The options that lines add to the same default do not run into each other, nor into memory that is not theirs.
func TestOptionsApart(t *testing.T) {
	o := queries.Options{Rounds: 1, Ask: queries.Ask{Extra: make([]queries.Option, 1, 8)}}
	o.Ask.Extra[0].Code = 65001
	ms := messages(t, read(t, "a A +opt=65002:\nb A +opt=65003:\nc A\n", o).Part(0, 1, 0), 9)
	for k, want := range []string{"rd edns=1232 65001: 65002:", "rd edns=1232 65001: 65003:", "rd edns=1232 65001:"} {
		if got := told(ms[k]); got != want {
			t.Errorf("line %d: %q, want %q", k+1, got, want)
		}
	}
	if behind := o.Ask.Extra[:2][1]; behind.Code != 0 {
		t.Errorf("option %d was written behind the caller's", behind.Code)
	}
}
