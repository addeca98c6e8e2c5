package wire_test

import (
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/wire"
)

func hashOf(t *testing.T, name string, typ, class uint16) uint32 {
	t.Helper()
	msg, err := wire.AppendQuery(nil, name, typ, class, wire.QueryOptions{UDPSize: 1232})
	if err != nil {
		t.Fatal(err)
	}
	hash, ok := wire.QuestionHash(msg)
	if !ok {
		t.Fatalf("%s has no hash", name)
	}
	return hash
}

// TestQuestionHashFolds: equal questions have one hash, whatever the header, the letters' case and what stands behind them.
func TestQuestionHashFolds(t *testing.T) {
	for n := range 40 {
		name := strings.Repeat("aBc-9.", 8)[:n]
		if strings.HasSuffix(name, ".") || name == "" {
			name += "x"
		}
		want := hashOf(t, name, 28, 1)
		if got := hashOf(t, strings.ToUpper(name), 28, 1); got != want {
			t.Errorf("%s: %#x in capitals, %#x as it is", name, got, want)
		}
		msg, _ := wire.AppendQuery(nil, name, 28, 1, wire.QueryOptions{RecursionDesired: true})
		wire.SetID(msg, 0xabcd)
		msg[2] |= 0x80
		if got, ok := wire.QuestionHash(append(msg, "more"...)); got != want || !ok {
			t.Errorf("%s: %#x, %v with another header, want %#x", name, got, ok, want)
		}
	}
}

// TestQuestionHashTells: another name, type or class is another hash, for all of a great many.
func TestQuestionHashTells(t *testing.T) {
	seen := map[uint32]string{}
	add := func(name string, typ, class uint16) {
		h := hashOf(t, name, typ, class)
		if old, ok := seen[h]; ok {
			t.Errorf("%s and %s have hash %#x both", old, name, h)
		}
		seen[h] = name
	}
	for i := range 260 {
		add("example.com", uint16(i), 1)
		add("example.com", uint16(i), 3)
	}
	add(".", 1, 1)
	for _, suffix := range []string{"", ".b", ".example.com", ".a.much.longer.name.example.com"} {
		for a := 'a'; a <= 'z'; a++ {
			for b := '0'; b <= '9'; b++ {
				add(string([]rune{a, b})+suffix, 1, 1)
				add(string([]rune{b, a, a})+suffix, 1, 1)
			}
		}
	}
}

// TestQuestionHashRefuses: where there is no question that can be read there is no hash, and nothing is read that is not there.
func TestQuestionHashRefuses(t *testing.T) {
	msg, err := wire.AppendQuery(nil, "www.example.com", 1, 1, wire.QueryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range msg {
		if _, ok := wire.QuestionHash(msg[:n:n]); ok {
			t.Errorf("%d of %d octets have a hash", n, len(msg))
		}
	}
	none := append([]byte(nil), msg...)
	none[5] = 0
	if _, ok := wire.QuestionHash(none); ok {
		t.Error("a message without a question has a hash")
	}
}

func BenchmarkQuestionHash(b *testing.B) {
	msg, _ := wire.AppendQuery(nil, "h1000000.example.com", 1, 1, wire.QueryOptions{UDPSize: 1232})
	for b.Loop() {
		wire.QuestionHash(msg)
	}
}
