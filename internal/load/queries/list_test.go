package queries_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/load/queries"
)

// numbered is a list of n names, 0. to n-1.
func numbered(tb testing.TB, n int, o queries.Options) *queries.List {
	tb.Helper()
	var text strings.Builder
	for k := range n {
		fmt.Fprintf(&text, "%d A\n", k)
	}
	return read(tb, text.String(), o)
}

// All parts together give each line once a round, and none has more than one query more than another.
func TestParts(t *testing.T) {
	for _, test := range []struct{ lines, parts, rounds int }{
		{1, 1, 1}, {10, 1, 3}, {10, 3, 1}, {10, 3, 4}, {10, 10, 2}, {2, 7, 1}, {2, 7, 5}, {1, 4, 9},
	} {
		l := numbered(t, test.lines, queries.Options{Rounds: test.rounds})
		times := make(map[string]int) // of each line
		var sizes []int
		for i := range test.parts {
			s := l.Part(i, test.parts, 0)
			got := names(t, s, 1000)
			sizes = append(sizes, len(got))
			for j, name := range got {
				times[name]++
				if want := fmt.Sprintf("%d.", (i+j*test.parts)%test.lines); name != want {
					t.Errorf("%+v: query %d of part %d is %s, want %s", test, j, i, name, want)
				}
			}
			if more := names(t, s, 9); more != nil {
				t.Errorf("%+v: part %d goes on behind its end with %q", test, i, more)
			}
		}
		for k := range test.lines {
			if name := fmt.Sprintf("%d.", k); times[name] != test.rounds {
				t.Errorf("%+v: %s %d times", test, name, times[name])
			}
		}
		if len(times) != test.lines || slices.Max(sizes)-slices.Min(sizes) > 1 {
			t.Errorf("%+v: %d names, parts of %d", test, len(times), sizes)
		}
	}
}

func TestForever(t *testing.T) {
	s := numbered(t, 3, queries.Options{}).Part(1, 2, 0)
	got := strings.Join(names(t, s, 8), "")
	if want := "1.0.2.1.0.2.1.0."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := len(names(t, s, 100_000)); got != 100_000 {
		t.Errorf("it ends after %d more", got)
	}
}

// What a query points to is no way to write behind it: the next one stands there.
func TestRawIsBounded(t *testing.T) {
	s := numbered(t, 2, queries.Options{Rounds: 1}).Part(0, 1, 0)
	var q queries.Query
	s.Next(&q)
	if cap(q.Raw) != len(q.Raw) {
		t.Errorf("%d octets with room for %d", len(q.Raw), cap(q.Raw))
	}
}
