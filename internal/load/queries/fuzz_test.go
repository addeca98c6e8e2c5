package queries_test

import (
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load/queries"
	"github.com/dnsq/dnsq/internal/wire"
)

// drain takes each query of a list: they have a question and times that do not go back.
func drain(t *testing.T, l *queries.List) {
	t.Helper()
	var last time.Duration
	var q queries.Query
	n := 0
	for s := l.Part(0, 1, 0); s.Next(&q); n++ {
		if _, ok := wire.QuestionEnd(q.Raw); !ok || q.Raw[0]|q.Raw[1] != 0 {
			t.Fatalf("%x has no question or an ID", q.Raw)
		}
		if q.At < last {
			t.Fatalf("%v behind %v", q.At, last)
		}
		last = q.At
	}
	if n != l.Len() || n == 0 {
		t.Fatalf("%d queries of %d", n, l.Len())
	}
}

// Whatever a text says, there is an error or each query is a well formed message, which miekg/dns reads as well: unless options were given as
// octets, of which it knows more than we ask for.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"a A\n", blocks, "example.com AAAA +do +cd +ecs=192.0.2.0/24 +nsid +edns=4096 +opt=65001:cafe ; x\n", `a\.\000.b CH TYPE7` + "\n", ". NS E\nb D D\n", "\x00\x11\x00\x00",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, update bool) {
		o := queries.Options{Format: queries.Text, Rounds: 1}
		if update {
			o.Format = queries.Update
		}
		l, err := queries.Read(strings.NewReader(text), "x", o)
		if err != nil {
			return
		}
		drain(t, l)
		var q queries.Query
		for s := l.Part(0, 1, 0); s.Next(&q); {
			if info, err := wire.Check(q.Raw); !update && (err != nil || info.End != len(q.Raw)) {
				t.Fatalf("%x: %v, ends at %d", q.Raw, err, info.End)
			}
		}
		if !strings.Contains(text, "+opt") {
			messages(t, l.Part(0, 1, 0), l.Len())
		}
	})
}
