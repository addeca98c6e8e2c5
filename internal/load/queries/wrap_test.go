package queries_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/load/queries"
)

// Misses are as many as wanted, with a label that none other has before a name of the list, and all else as it was. Every line is still there once.
func TestHitRate(t *testing.T) {
	const lines = 20_000
	list := read(t, strings.Repeat("www.Example.com AAAA +do +ecs=192.0.2.0/24\nexample.org TXT\n", lines/2), queries.Options{Rounds: 1})
	for _, percent := range []float64{0, 12.5, 90, 100} {
		set := generate(t, fmt.Sprintf("hit:%v%%", percent), list, queries.Options{})
		seen := make(map[string]bool)
		hits, total := 0, 0
		for i := range 2 {
			for k, m := range messages(t, set.Part(i, 2, 5), lines) {
				total++
				want, ask := "www.Example.com.", "rd edns=1232 do ecs=192.0.2.0/24"
				if i == 1 {
					want, ask = "example.org.", "rd"
				}
				name := m.Question[0].Name
				if told(m) != ask {
					t.Fatalf("query %d of part %d: %s", k, i, m)
				}
				if name == want {
					hits++
					continue
				}
				label, rest, _ := strings.Cut(name, ".")
				if len(label) != 13 || rest != want || seen[label] {
					t.Fatalf("query %d of part %d: %s, seen %v", k, i, name, seen[label])
				}
				seen[label] = true
			}
		}
		p := percent / 100
		want, slack := p*lines, 5*math.Sqrt(lines*p*(1-p))
		if total != lines || math.Abs(float64(hits)-want) > slack {
			t.Errorf("hit:%v: %d hits of %d, want %.0f ± %.0f", percent, hits, total, want, slack)
		}
	}
}

// Of a name that has no room for another label, the first ones give way.
func TestHitRateLongNames(t *testing.T) {
	long := strings.Repeat("abc.", 63) // 253 octets
	fits := strings.Repeat("abc.", 60) // 241 octets: 14 more are 255
	for name, want := range map[string]string{".": "", long: long[3*4:], fits: fits, "x." + fits: fits, "abcd." + fits[4:]: fits[4:]} {
		set := generate(t, "hit:0", read(t, name+" A\n", queries.Options{}), queries.Options{})
		got := names(t, set.Part(0, 1, 0), 1)[0]
		if got[14:] != want {
			t.Errorf("%s\n%s, want a label and %s", name, got, want)
		}
	}
}

func TestCase(t *testing.T) {
	const name = "az.AZ-09_[{@`." // the letters' neighbours, too
	escaped := `az.AZ-09_[{\@` + "`."
	set := queries.Case(read(t, name+" A +do +nsid\n", queries.Options{}))
	seen := make(map[string]int)
	ups := 0
	for _, m := range messages(t, set.Part(0, 1, 2), 1600) {
		got := m.Question[0].Name
		if !strings.EqualFold(got, escaped) || told(m) != "rd edns=1232 do nsid" {
			t.Fatalf("%s of %s", m, escaped)
		}
		seen[got]++
		if got[0] == 'A' {
			ups++
		}
	}
	if len(seen) != 16 || ups < 700 || ups > 900 {
		t.Errorf("%d different names, want 2⁴; %d begin with A, want about 800", len(seen), ups)
	}
	// More letters than a random number has bits.
	long := strings.Repeat(strings.Repeat("a", 63)+".", 3)
	s := queries.Case(read(t, long+" A\n", queries.Options{})).Part(0, 1, 2)
	at := make(map[int]bool)
	for _, got := range names(t, s, 64) {
		for i, c := range got {
			if c == 'A' {
				at[i] = true
			}
		}
	}
	if len(at) != 3*63 {
		t.Errorf("%d letters were upper case once, want all", len(at))
	}
}

// Whether a query is a miss has nothing to do with which one it is, and sets of a mix nothing with each other.
func TestIndependent(t *testing.T) {
	list := generate(t, "numbers:example.com,10", nil, queries.Options{})
	set := generate(t, "hit:50", generate(t, "uniform", list, queries.Options{}), queries.Options{})
	hits := make(map[string]int)
	for _, name := range names(t, set.Part(0, 1, 1), 10_000) {
		hits[name]++
	}
	for k := range 10 { // 500 each, with a deviation of 22
		if name := fmt.Sprintf("h%d.example.com.", k); hits[name] < 390 || hits[name] > 610 {
			t.Errorf("%s is a hit %d times", name, hits[name])
		}
	}
	a, b := generate(t, "random:a", nil, queries.Options{}), generate(t, "random:b", nil, queries.Options{})
	both, _ := queries.Mix(queries.Weighted{Set: a, Weight: 1}, queries.Weighted{Set: b, Weight: 1})
	seen := make(map[string]bool)
	for _, name := range names(t, both.Part(0, 1, 1), 1000) {
		label, _, _ := strings.Cut(name, ".")
		if seen[label] {
			t.Fatalf("%s has a label that was there", name)
		}
		seen[label] = true
	}
}

// Messages that a changed name would break stay as they are, under everything that changes names.
func TestFixed(t *testing.T) {
	signed := new(dns.Msg).SetQuestion("signed.example.", dns.TypeA)
	signed.SetTsig("key.example.", dns.HmacSHA256, 300, 1)
	two := new(dns.Msg).SetQuestion("two.example.", dns.TypeA)
	two.Question = append(two.Question, two.Question[0])
	notify := new(dns.Msg).SetNotify("notify.example.")
	extra := new(dns.Msg).SetQuestion("extra.example.", dns.TypeA)
	extra.SetEdns0(1232, false)
	extra.Extra = append(extra.Extra, record(t, "x.example. A 192.0.2.1"))
	var raws [][]byte
	for _, m := range []*dns.Msg{signed, two, notify, extra} {
		m.Id = 0
		b, err := m.Pack()
		if err != nil {
			t.Fatal(err)
		}
		raws = append(raws, b)
	}
	list := read(t, framed(raws...), queries.Options{Rounds: 1})
	for _, set := range []queries.Set{list, queries.Case(list), generate(t, "hit:0", list, queries.Options{})} {
		var got [][]byte
		var q queries.Query
		for s := set.Part(0, 1, 0); s.Next(&q); {
			got = append(got, bytes.Clone(q.Raw))
		}
		if !slices.EqualFunc(got, raws, bytes.Equal) {
			t.Errorf("%s: %x\nwant %x", set, got, raws)
		}
	}
	// An OPT record is no reason.
	extra.Extra = extra.Extra[:1]
	s := generate(t, "hit:0", read(t, framed(packed(t, extra)), queries.Options{}), queries.Options{}).Part(0, 1, 0)
	if got := names(t, s, 1)[0]; got == "extra.example." {
		t.Errorf("%s has no label before it", got)
	}
}

func TestMix(t *testing.T) {
	one := read(t, "one A\n", queries.Options{})
	two := numbered(t, 100, queries.Options{Rounds: 1})
	set, err := queries.Mix(queries.Weighted{Set: one, Weight: 9}, queries.Weighted{Set: two, Weight: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := names(t, set.Part(0, 1, 1), 900)
	ones := 0
	var rest []string
	for _, name := range got {
		if name == "one." {
			ones++
		} else {
			rest = append(rest, name)
		}
	}
	if ones < 760 || ones > 855 { // 810 ± 5×9
		t.Errorf("%d of 900 are from the set with weight 9 of 10", ones)
	}
	if want := names(t, two.Part(0, 1, 0), len(rest)); !slices.Equal(rest, want) {
		t.Errorf("the list's queries %q, want %q", rest, want)
	}
	// What ended leaves its share to the others, and all end with the last.
	a, b := numbered(t, 3, queries.Options{Rounds: 1}), numbered(t, 50, queries.Options{Rounds: 1})
	set, _ = queries.Mix(queries.Weighted{Set: a, Weight: 1000}, queries.Weighted{Set: b, Weight: 1})
	s := set.Part(0, 1, 1)
	if got := len(names(t, s, 999)); got != 53 {
		t.Errorf("%d queries, want 53", got)
	}
	if want := "mix of 1000 × queries.txt: 3 queries, 1 × queries.txt: 50 queries"; set.String() != want {
		t.Errorf("%s, want %s", set, want)
	}
	_, err = queries.Mix()
	fails(t, err, "needs a set")
	_, err = queries.Mix(queries.Weighted{Set: one})
	fails(t, err, "queries.txt: 1 query: a weight of 0; it is from 1")
}
