package queries_test

import (
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/load/queries"
	"github.com/dnsq/dnsq/internal/require"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// read reads a text that has to be good.
func read(tb testing.TB, text string, o queries.Options) *queries.List {
	tb.Helper()
	l, err := queries.Read(strings.NewReader(text), "queries.txt", o)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// messages unpacks the next queries of a source, at most so many. Each has to be a whole message with ID 0 and the type that the query tells.
func messages(tb testing.TB, s queries.Source, most int) []*dns.Msg {
	tb.Helper()
	var all []*dns.Msg
	var q queries.Query
	for len(all) < most && s.Next(&q) {
		m := new(dns.Msg)
		if err := m.Unpack(q.Raw); err != nil {
			tb.Fatalf("query %d, %x: %v", len(all), q.Raw, err)
		}
		if m.Id != 0 || m.Question[0].Qtype != q.Type || m.Opcode != int(q.Opcode) || m.Len() != len(q.Raw) && !m.Compress && m.Opcode == 0 {
			tb.Fatalf("query %d is %s, opcode %d in %d octets\n%s", len(all), dns.TypeToString[q.Type], q.Opcode, len(q.Raw), m)
		}
		all = append(all, m)
	}
	return all
}

// names are those that a source asks for, in their order.
func names(tb testing.TB, s queries.Source, most int) []string {
	tb.Helper()
	var all []string
	for _, m := range messages(tb, s, most) {
		all = append(all, m.Question[0].Name)
	}
	return all
}

// fails wants an error with each of these parts.
func fails(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", parts)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q, want %q in it", err, part)
		}
	}
}
