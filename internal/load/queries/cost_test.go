package queries_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/load/queries"
)

func TestNextAllocates(t *testing.T) {
	for name, set := range sets(t) {
		s := set.Part(0, 2, 1)
		var q queries.Query
		if n := testing.AllocsPerRun(1000, func() { s.Next(&q) }); n != 0 {
			t.Errorf("%s: %v allocations a query", name, n)
		}
	}
}

// A line costs no allocation: those of a long list are few, for its memory grows by leaps.
func TestReadAllocates(t *testing.T) {
	const lines = 100_000
	text := strings.Repeat("www.example.com AAAA\nexample.org IN mx +do +ecs=192.0.2.0/24 ; x\n", lines/2)
	n := testing.AllocsPerRun(1, func() {
		if _, err := queries.Read(strings.NewReader(text), "x", queries.Options{}); err != nil {
			t.Fatal(err)
		}
	})
	if n > 1000 {
		t.Errorf("%v allocations for %d lines", n, lines)
	}
}

// Of a file's size follows how much memory its queries need: it is not had in vain.
func TestOpenReserves(t *testing.T) {
	const lines = 1_000_000
	path := write(t, strings.Repeat("www.example.com AAAA\n", lines))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	l, err := queries.Open(path, queries.Options{Rounds: 1})
	runtime.ReadMemStats(&after)
	if err != nil || l.Len() != lines {
		t.Fatal(l, err)
	}
	const text, slab, blocks = lines * 21, lines * (33 + 8), 16 << 20
	// Twice, for the race detector grows a slice by way of another. By leaps it would be five times.
	if got := after.TotalAlloc - before.TotalAlloc; got > text+2*slab*11/10+blocks {
		t.Errorf("%d octets allocated for %d of queries", got, slab)
	}
}

func BenchmarkNext(b *testing.B) {
	for name, set := range sets(b) {
		b.Run(name, func(b *testing.B) {
			s := set.Part(0, 2, 1)
			var q queries.Query
			for b.Loop() {
				s.Next(&q)
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	for k := range 1_000_000 {
		fmt.Fprintf(&text, "www%d.example%d.com A\n", k, k%1000)
	}
	b.ReportAllocs()
	for b.Loop() {
		l, err := queries.Read(io.MultiReader(strings.NewReader(text.String())), "x", queries.Options{})
		if err != nil || l.Len() != 1_000_000 {
			b.Fatal(l, err)
		}
	}
}
