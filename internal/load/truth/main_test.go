package truth_test

import (
	"context"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/load"
	"github.com/dnsq/dnsq/internal/load/queries"
	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/ioevent"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// ask is a Set of lines of text, over and over.
func ask(t *testing.T, lines ...string) queries.Set {
	t.Helper()
	set, err := queries.Read(strings.NewReader(strings.Join(lines, "\n")), "the test's queries", queries.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// run makes the run and checks its accounts. The environment forces the mechanisms where the plan has none.
func run(t *testing.T, ctx context.Context, p load.Plan) *result.Result {
	t.Helper()
	var err error
	if p.Backend.Open == nil && require.Backend() != "" {
		if p.Backend, err = backend.Named(require.Backend()); err != nil {
			t.Fatal(err)
		}
	}
	if p.Poller.Open == nil && require.Poller() != "" {
		if p.Poller, err = ioevent.Named(require.Poller()); err != nil {
			t.Fatal(err)
		}
	}
	r, err := load.Run(ctx, &p)
	if err != nil {
		t.Fatal(err)
	}
	accounts(t, r)
	return r
}

// accounts holds r to what package result promises of every result.
func accounts(t *testing.T, r *result.Result) {
	t.Helper()
	if r.Planned != r.Sent+r.Unsent.Behind+r.Unsent.Window {
		t.Errorf("planned %d, but sent %d, unsent %+v", r.Planned, r.Sent, r.Unsent)
	}
	if r.Sent != r.Completed+r.Lost.Total()+r.Interrupted {
		t.Errorf("sent %d, but completed %d, lost %+v, interrupted %d", r.Sent, r.Completed, r.Lost, r.Interrupted)
	}
	sent, answered := totals(r)
	if sumOf(sent) != r.Sent || sumOf(answered) != r.Completed {
		t.Errorf("sent %d by type, of %d; answered %d by rcode, of %d", sumOf(sent), r.Sent, sumOf(answered), r.Completed)
	}
	var second result.Second
	for _, s := range r.BySecond {
		if s.At >= 0 {
			second.Sent, second.Completed, second.Lost = second.Sent+s.Sent, second.Completed+s.Completed, second.Lost+s.Lost
		}
	}
	if second.Sent != r.Sent || second.Completed != r.Completed || second.Lost != r.Lost.Total() {
		t.Errorf("by second: sent %d, completed %d, lost %d; in all %d, %d, %d", second.Sent, second.Completed, second.Lost, r.Sent, r.Completed, r.Lost.Total())
	}
	if r.Service.Count != r.Completed || r.Response.Count != r.Completed {
		t.Errorf("%d service and %d response times of %d answers", r.Service.Count, r.Response.Count, r.Completed)
	}
}

// totals are what was sent by type, and what was answered by rcode.
func totals(r *result.Result) (types, rcodes map[string]uint64) {
	types, rcodes = map[string]uint64{}, map[string]uint64{}
	for _, row := range r.Types {
		types[row.Type] += row.Sent
		for code, n := range row.Rcodes {
			rcodes[code] += n
		}
	}
	return types, rcodes
}

func sumOf(counts map[string]uint64) (sum uint64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}
