package realtest

import (
	"fmt"
	"strings"
)

// Diff says in which ways got differs from want, "" in none. TTLs may differ by
// slack seconds.
func Diff(got, want Outcome, slack uint32) string {
	var b strings.Builder
	for _, field := range []struct {
		name      string
		got, want any
	}{
		{"rcode", got.Rcode, want.Rcode},
		{"AA", got.AA, want.AA},
		{"TC", got.TC, want.TC},
		{"AD", got.AD, want.AD},
	} {
		if field.got != field.want {
			fmt.Fprintf(&b, "%s is %v, want %v\n", field.name, field.got, field.want)
		}
	}
	diffRecords(&b, got.Records, want.Records, slack)
	return b.String()
}

// shown is how many records a Diff names at most.
const shown = 8

// diffRecords merges two sorted lists and writes down what only one of them has.
func diffRecords(b *strings.Builder, got, want []Record, slack uint32) {
	n := strings.Count(b.String(), "\n") + shown
	for len(got) > 0 || len(want) > 0 {
		if strings.Count(b.String(), "\n") == n {
			fmt.Fprintln(b, "and more")
			return
		}
		switch c := compareAny(got, want); {
		case c < 0:
			fmt.Fprintf(b, "not wanted: %v\n", got[0])
			got = got[1:]
		case c > 0:
			fmt.Fprintf(b, "missing: %v\n", want[0])
			want = want[1:]
		default:
			if max(got[0].TTL, want[0].TTL)-min(got[0].TTL, want[0].TTL) > slack {
				fmt.Fprintf(b, "TTL is %d, want %d within %d: %v\n", got[0].TTL, want[0].TTL, slack, got[0])
			}
			got, want = got[1:], want[1:]
		}
	}
}

// compareAny compares the first records, TTL aside; an empty list comes last.
func compareAny(got, want []Record) int {
	switch {
	case len(want) == 0:
		return -1
	case len(got) == 0:
		return 1
	}
	return got[0].compare(want[0])
}
