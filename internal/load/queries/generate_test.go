package queries_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/load/queries"
)

func generate(tb testing.TB, spec string, over queries.Set, o queries.Options) queries.Set {
	tb.Helper()
	set, err := queries.Generate(spec, over, o)
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

// sets are one of every kind.
func sets(tb testing.TB) map[string]queries.Set {
	list := generate(tb, "numbers:some.example.com,100", nil, queries.Options{})
	unique := generate(tb, "unique:example.com", nil, queries.Options{})
	mix, err := queries.Mix(queries.Weighted{Set: list, Weight: 3}, queries.Weighted{Set: unique, Weight: 1})
	if err != nil {
		tb.Fatal(err)
	}
	all := map[string]queries.Set{"list": list, "unique": unique, "mix": mix}
	for _, spec := range []string{"random:example.com", "random:example.com,63", "nxdomain:example.com", "numbers:example.com,1000"} {
		all[spec] = generate(tb, spec, nil, queries.Options{Ask: queries.Ask{DO: true}})
	}
	for _, spec := range []string{"zipf:0.9", "zipf:1", "zipf:0", "uniform", "hit:50", "hit:0", "hit:100%", "case"} {
		all[spec] = generate(tb, spec, list, queries.Options{})
	}
	all["case over hit"] = queries.Case(all["hit:50"])
	return all
}

// random reports whether parts of a set of this name are not told by the seed alone.
func random(name string) bool {
	return name != "list" && !strings.HasPrefix(name, "numbers") && name != "hit:100%"
}

func TestSeed(t *testing.T) {
	for name, set := range sets(t) {
		a := names(t, set.Part(1, 3, 7), 300)
		if b := names(t, set.Part(1, 3, 7), 300); !slices.Equal(a, b) {
			t.Errorf("%s: the same seed gives other queries", name)
		}
		otherSeed, otherPart := names(t, set.Part(1, 3, 8), 300), names(t, set.Part(2, 3, 7), 300)
		if random(name) && (slices.Equal(a, otherSeed) || slices.Equal(a, otherPart)) {
			t.Errorf("%s: another seed or part gives the same queries", name)
		}
		if set.Timed() || set.String() == "" {
			t.Errorf("%s: %s, timed %v", name, set, set.Timed())
		}
	}
}

// Sources of one set do not disturb each other.
func TestSourcesApart(t *testing.T) {
	for name, set := range sets(t) {
		want := names(t, set.Part(0, 2, 1), 50)
		a, b := set.Part(0, 2, 1), set.Part(1, 2, 1)
		var got []string
		for range 25 {
			got = append(got, names(t, a, 1)...)
			names(t, b, 1)
			var q, other queries.Query
			a.Next(&q)
			before := string(q.Raw)
			b.Next(&other)
			if string(q.Raw) != before {
				t.Fatalf("%s: another source writes to a query", name)
			}
			got = append(got, questionOf(t, q.Raw))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: beside another source it gives other queries", name)
		}
	}
}

func questionOf(t *testing.T, raw []byte) string {
	t.Helper()
	var m dns.Msg
	if err := m.Unpack(raw); err != nil {
		t.Fatal(err)
	}
	return m.Question[0].Name
}

func TestUnique(t *testing.T) {
	for _, base := range []string{"example.com", "."} {
		set := generate(t, "unique:"+base, nil, queries.Options{Type: dns.TypeTXT, Ask: queries.Ask{NSID: true}})
		seen := make(map[string]bool)
		for i := range 5 {
			for _, name := range names(t, set.Part(i, 5, 42), 20_000) {
				if seen[name] {
					t.Fatalf("%s twice", name)
				}
				seen[name] = true
				if got := dns.CountLabel(name) - dns.CountLabel(dns.Fqdn(base)); got != 1 || !dns.IsSubDomain(dns.Fqdn(base), name) {
					t.Fatalf("%s is not one label below %s", name, base)
				}
			}
		}
		m := messages(t, set.Part(0, 5, 42), 1)[0]
		if got := told(m); got != "rd edns=1232 nsid" || m.Question[0].Qtype != dns.TypeTXT {
			t.Errorf("%s: %s", got, m)
		}
	}
}

// However many parts there are, together they give the same labels: which nobody gives twice, as no two of one part are the same.
func TestUniqueOverParts(t *testing.T) {
	set := generate(t, "unique:example.com", nil, queries.Options{})
	whole := names(t, set.Part(0, 1, 9), 700)
	for i := range 7 {
		for j, name := range names(t, set.Part(i, 7, 9), 100) {
			if name != whole[i+7*j] {
				t.Fatalf("query %d of part %d is %s, want %s", j, i, name, whole[i+7*j])
			}
		}
	}
}

func TestRandomLabels(t *testing.T) {
	for spec, length := range map[string]int{
		"random:example.com": 12, "random:example.com,1": 1, "random:example.com,13": 13, "random:example.com,63": 63, "nxdomain:example.com": 20,
	} {
		seen, letters := make(map[string]bool), make(map[rune]int)
		for _, name := range names(t, generate(t, spec, nil, queries.Options{}).Part(0, 1, 1), 3200) {
			label, base, _ := strings.Cut(name, ".")
			if len(label) != length || base != "example.com." {
				t.Fatalf("%s: %s", spec, name)
			}
			seen[label] = true
			for _, c := range label[length-1:] {
				letters[c]++
			}
		}
		if length >= 12 && len(seen) != 3200 || len(letters) != 32 {
			t.Errorf("%s: %d labels, %d letters at their end", spec, len(seen), len(letters))
		}
		for c, n := range letters { // 100 each, with a deviation of 10
			if n < 50 || n > 150 {
				t.Errorf("%s: %c %d times", spec, c, n)
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	for base, below := range map[string]string{"example.com": ".example.com.", ".": "."} {
		set := generate(t, "numbers:"+base+",3", nil, queries.Options{Rounds: 2})
		got := strings.Join(names(t, set.Part(0, 1, 0), 99), " ")
		if want := strings.ReplaceAll("h0_ h1_ h2_ h0_ h1_ h2_", "_", below); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// The counts of a fixed seed are within five standard deviations of what the law wants.
func TestZipf(t *testing.T) {
	const lines, picks = 50, 200_000
	list := numbered(t, lines, queries.Options{})
	for _, s := range []float64{0, 0.5, 1, 1.1, 2.5} {
		set := generate(t, fmt.Sprint("zipf:", s), list, queries.Options{})
		counts := make(map[string]int)
		for _, name := range names(t, set.Part(0, 1, 3), picks) {
			counts[name]++
		}
		sum := 0.0
		for k := range lines {
			sum += math.Pow(float64(k+1), -s)
		}
		for k := range lines {
			p := math.Pow(float64(k+1), -s) / sum
			want, slack := p*picks, 5*math.Sqrt(picks*p*(1-p))
			if got := float64(counts[fmt.Sprintf("%d.", k)]); math.Abs(got-want) > slack {
				t.Errorf("exponent %v, line %d: %v times, want %.0f ± %.0f", s, k, got, want, slack)
			}
		}
	}
}

// What is picked ends after as many queries as the list's rounds have.
func TestPickRounds(t *testing.T) {
	list := numbered(t, 10, queries.Options{Rounds: 3})
	for _, set := range []queries.Set{queries.Uniform(list), generate(t, "zipf:1", list, queries.Options{})} {
		total := 0
		for i := range 4 {
			total += len(names(t, set.Part(i, 4, 0), 999))
		}
		if total != 30 {
			t.Errorf("%s: %d queries, want 30", set, total)
		}
	}
}

func TestGenerateErrors(t *testing.T) {
	list := numbered(t, 2, queries.Options{})
	unique := generate(t, "unique:a", nil, queries.Options{})
	for _, test := range []struct {
		spec string
		over queries.Set
		want string
	}{
		{"", nil, `generator "" is unknown; there are unique, random`},
		{"zip:1", list, `generator "zip:1" is unknown`},
		{"unique", nil, "a base is missing; write such as unique:example.com"},
		{"unique:", nil, "a base is missing"},
		{"unique:a..b", nil, "one dot"},
		{"unique:é.fr", nil, "xn-- form"},
		{"unique:a,b", nil, "it takes a base alone: unique:a"},
		{"nxdomain:a,12", nil, "it takes a base alone: nxdomain:a"},
		{"unique:a", list, "nothing of queries.txt: 2 queries; leave one of them out"},
		{"unique:" + strings.Repeat("abc.", 61), nil, "255 octets, with a label of 13 letters before it"},
		{"random:a,0", nil, `"0" is no number of letters of a label; it is from 1 to 63`},
		{"random:a,64", nil, "from 1 to 63"},
		{"random:a,", nil, `"" is no number`},
		{"numbers:a", nil, `"" is no number of names`},
		{"numbers:a,x", nil, `"x" is no number of names; it is from 1 to`},
		{"numbers:a,-1", nil, "no number of names"},
		{"numbers:a..b,2", nil, "one dot"},
		{"numbers:" + strings.Repeat("abc.", 63) + ",11", nil, "255 octets, with h0 before it"},
		{"zipf:1", nil, "give a file or a generator such as numbers:example.com,1000 before it"},
		{"zipf:1", unique, "it picks from a list, a file or numbers:BASE,N, and there is unique:a"},
		{"zipf", list, `"" is no exponent; write one such as zipf:1.0`},
		{"zipf:-1", list, "from 0, where all are alike, to 100"},
		{"zipf:NaN", list, "from 0"},
		{"uniform:1", list, `it takes nothing behind its name, not "1"`},
		{"hit", list, `"" is no percentage; write one such as hit:90`},
		{"hit:101", list, "from 0 to 100 percent"},
		{"hit:NaN", list, "percent"},
		{"case:x", list, "it takes nothing"},
		{"case", nil, "it needs queries"},
	} {
		set, err := queries.Generate(test.spec, test.over, queries.Options{})
		fails(t, err, test.want)
		if set != nil {
			t.Errorf("%s: a set beside the error", test.spec)
		}
	}
}

// Help and errors name what there is.
func TestHelp(t *testing.T) {
	_, err := queries.Generate("?", nil, queries.Options{})
	for _, kind := range []string{"unique", "random", "nxdomain", "numbers", "zipf", "uniform", "hit", "case"} {
		if !strings.Contains(queries.GeneratorHelp, "\n  "+kind) && !strings.HasPrefix(queries.GeneratorHelp, "  "+kind) {
			t.Errorf("no help on %s", kind)
		}
		fails(t, err, kind)
	}
	for _, word := range []string{"+edns", "+noedns", "+do", "+cd", "+ad", "+nord", "+nsid", "+ecs=192.0.2.0/24", "+opt=65001:cafe"} {
		if err := new(queries.Ask).Set(word); err != nil || !strings.Contains(queries.TextHelp, strings.SplitN(word, "=", 2)[0]) {
			t.Errorf("%s: %v, or there is no help on it", word, err)
		}
	}
	text := queries.UpdateHelp[strings.Index(queries.UpdateHelp, "\n\n"):strings.LastIndex(queries.UpdateHelp, "\n\n")]
	text = strings.NewReplacer("[TYPE [DATA]]", "", "[TYPE]", "", "NAME TTL TYPE DATA", "a 1 A 192.0.2.1", "NAME", "b").Replace(text)
	read(t, text, queries.Options{Format: queries.Update})
}
