package compare_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/load/compare"
	"github.com/dnsq/dnsq/internal/load/result"
)

func values(t *testing.T, r *compare.Report, name string) *compare.Metric {
	t.Helper()
	m := r.Metric(name)
	if m == nil {
		t.Fatalf("no metric %s; warnings %q", name, r.Warnings)
	}
	return m
}

// plain are n runs whose figures are multiples of 1, 1 + step, …
func plain(n int, step, latency float64) (runs []*result.Result) {
	for i := range n {
		s := server{qps: 1 + step*float64(i), latency: latency * (1 + step*float64(i))}
		runs = append(runs, s.run(random(1), len(runs)))
	}
	return runs
}

// The figures are those that can be worked out: means for rates, the median of all pairs for latencies, in percent of A.
func TestFigures(t *testing.T) {
	a, b := plain(5, 0.01, 1), after(plain(5, 0.01, 1.2), time.Second)
	for i := range b {
		b[i].QPS *= 0.8
		b[i].Lost.Timeout = 3000
	}
	r := compared(t, a, b, compare.Options{})
	if r.Schema != "dnsq-load-compare/1" || r.Level != 95 || r.Within != 5 || r.Points != 0.05 || r.Unit != "run" || r.Block != 0 {
		t.Errorf("%+v", r)
	}
	qps := values(t, r, "qps")
	if qps.Test != "welch" || !near(qps.Centers[0], 102_000) || !near(qps.Centers[1], 81_600) || !near(qps.Shift, -20) || !qps.Higher || qps.Verdict != compare.Worse {
		t.Errorf("%+v", qps)
	}
	p50 := values(t, r, "p50") // 200 to 208 and 240 to 249.6
	if p50.Test != "ranks" || !near(p50.Centers[0], 204) || !near(p50.Centers[1], 244.8) || !near(p50.Shift, 20) || p50.Higher || p50.Verdict != compare.Worse {
		t.Errorf("%+v", p50)
	}
	// The third smallest and the third largest of the differences: 242.4-208 and 247.2-200.
	if !p50.Bounded || !near(p50.Low, 100*34.4/204) || !near(p50.High, 100*47.2/204) {
		t.Errorf("%+v", p50)
	}
	loss := values(t, r, "loss")
	if !loss.Points || !near(loss.Shift, 0.3) || loss.Verdict != compare.Worse || loss.Low != loss.High || loss.P != 0 {
		t.Errorf("%+v", loss)
	}
	if r.Verdict != compare.Worse || !slices.Equal(r.Deciding, []string{"qps", "p99"}) || !qps.Decides || p50.Decides {
		t.Errorf("%s, by %v", r.Verdict, r.Deciding)
	}
	if r.Metric("completed") != nil || r.Metric("p99_timeouts") != nil {
		t.Error("metrics that a closed plan without timeouts in its latencies has no use for")
	}
}

func near(x, y float64) bool { return math.Abs(x-y) <= 1e-6*math.Abs(y) }

// With A and B exchanged what was worse is better.
func TestDirections(t *testing.T) {
	a, b := plain(6, 0.002, 1), after(plain(6, 0.002, 1.3), time.Second)
	for i := range b {
		b[i].QPS *= 0.7
		b[i].CPU *= 1.5
		b[i].Lost.Timeout = 5000
		b[i].ResponseTimeout.Count += 5000
	}
	there, back := compared(t, a, b, compare.Options{}), compared(t, b, a, compare.Options{})
	if len(there.Metrics) != 11 {
		t.Errorf("%d metrics", len(there.Metrics))
	}
	for _, m := range there.Metrics {
		if m.Verdict != compare.Worse || values(t, back, m.Name).Verdict != compare.Better {
			t.Errorf("%s: %s, exchanged %s", m.Name, m.Verdict, values(t, back, m.Name).Verdict)
		}
	}
	if there.Verdict != compare.Worse || back.Verdict != compare.Better || there.More != 0 {
		t.Errorf("%s, %s", there.Sentence, back.Sentence)
	}
}

// Who decides can be named; an open plan has its own.
func TestDeciding(t *testing.T) {
	a, b := plain(6, 0.002, 1), after(plain(6, 0.002, 1), time.Second)
	for i := range b {
		b[i].Response.P90 *= 2
		b[i].Response.P999 /= 2
	}
	for want, names := range map[compare.Verdict][]string{
		compare.Same: nil, compare.Worse: {"qps", "p90"}, compare.Better: {"p999", "p50"},
	} {
		if r := compared(t, a, b, compare.Options{Deciding: names}); r.Verdict != want {
			t.Errorf("%q: %s", names, r.Sentence)
		}
	}
	if r := compared(t, a, b, compare.Options{Deciding: []string{"p90", "p999"}}); r.Verdict != compare.Worse || !strings.Contains(r.Sentence, "p999 better") {
		t.Errorf("one worse, one better: %s", r.Sentence)
	}
	for _, runs := range [][]*result.Result{a, b} {
		for _, r := range runs {
			r.Plan.Mode, r.Plan.Rate, r.Planned = "open", "1k", 2*r.Sent
		}
	}
	r := compared(t, a, b, compare.Options{})
	if m := values(t, r, "completed"); !slices.Equal(r.Deciding, []string{"p99", "loss"}) || !near(m.Centers[0], 50) || !m.Higher {
		t.Errorf("open: %v, %+v", r.Deciding, m)
	}
}

// Invalid runs do not count, unless that is asked for, and it is said why either way.
func TestInvalidRuns(t *testing.T) {
	a, b := plain(6, 0.002, 1), after(plain(7, 0.002, 1), time.Second)
	b[2].Verdict, b[2].QPS = result.Invalid, 1
	b[2].Reasons = []result.Reason{{Code: result.CodeNote, Text: "a note"}, {Code: result.CodeClientDrop, Text: "the client dropped 5"}}
	r := compared(t, a, b, compare.Options{})
	want := []compare.Excluded{{Run: "B3", Why: "its verdict is invalid: the client dropped 5"}}
	if diff := cmp.Diff(want, r.Sides[1].Excluded); diff != "" || len(r.Sides[1].Runs) != 6 || values(t, r, "qps").Samples[1].N != 6 {
		t.Errorf("%v: %s", r.Sides[1].Runs, diff)
	}
	r = compared(t, a, b, compare.Options{Invalid: true})
	if values(t, r, "qps").Samples[1].Min != 1 || !strings.Contains(strings.Join(r.Warnings, "\n"), "B3 counts though its verdict is invalid: the client dropped 5") {
		t.Errorf("%q", r.Warnings)
	}
	b = b[2:3]
	if _, err := compare.Runs(a, b, compare.Options{Names: [2][]string{nil, {"x.json"}}}); err == nil ||
		!strings.Contains(err.Error(), "B has no run to compare: 1 left out, the first, x.json, as its verdict is invalid") {
		t.Error(err)
	}
	if _, err := compare.Runs(nil, b, compare.Options{}); err == nil || err.Error() != "A has no run to compare" {
		t.Error(err)
	}
}

// Other plans are refused by name, and compared anyway with a warning.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(*result.Result){
		"mode: A1 has closed, B4 open":                        func(r *result.Result) { r.Plan.Mode = "open" },
		"transport: A1 has udp, B4 tcp":                       func(r *result.Result) { r.Plan.Transport = "tcp" },
		"rate: A1 has none, B4 5k":                            func(r *result.Result) { r.Plan.Rate = "5k" },
		"rate: A1 has none, B4 250/s":                         func(r *result.Result) { r.Plan.Target = 250 },
		"outstanding: A1 has 100, B4 7":                       func(r *result.Result) { r.Plan.Outstanding = 7 },
		"queries: A1 has file.txt, B4 zipf":                   func(r *result.Result) { r.Plan.Queries = "zipf" },
		"A2 and B4 are the same run, of 2001-09-09T01:47:40Z": func(r *result.Result) { r.Start = time.Unix(1e9+60, 0).UTC() },
	} {
		a, b := plain(4, 0, 1), plain(4, 0, 1)
		for i := range b {
			b[i].Start = b[i].Start.Add(time.Second)
		}
		change(b[3])
		_, err := compare.Runs(a, b, compare.Options{})
		var refused *compare.IncomparableError
		if !errors.As(err, &refused) || !slices.Equal(refused.Reasons, []string{want}) || !strings.HasSuffix(err.Error(), "cannot be compared: "+want) {
			t.Errorf("%v, want %s", err, want)
		}
		if r := compared(t, a, b, compare.Options{Anyway: true}); !slices.Contains(r.Warnings, want) {
			t.Errorf("%q, want %s", r.Warnings, want)
		}
	}
}

func TestWarnings(t *testing.T) {
	for want, change := range map[string]func(*result.Result){
		"":                                  func(*result.Result) {},
		"threads: A1 has 1, B4 3":           func(r *result.Result) { r.Plan.Threads = 3 },
		"timeout: A1 has 0 s, B4 2.5 s":     func(r *result.Result) { r.Plan.Timeout = 2.5 },
		"trains: A1 has false, B4 true":     func(r *result.Result) { r.Plan.Trains = true },
		"version of dnsq: A1 has v1, B4 v2": func(r *result.Result) { r.Version = "v2" },
		"host's processor: A1 has 0 × , B4 2 × fast": func(r *result.Result) { r.Host.CPU, r.Host.CPUs = "fast", 2 },
		"not all runs of B have the same servers":    func(r *result.Result) { r.Plan.Servers = []string{"192.0.2.2:53"} },
		"cut short: B4": func(r *result.Result) { r.Reasons = []result.Reason{{Code: result.CodeInterrupted}} },
		"p999 is left out: too little was measured for it in B4": func(r *result.Result) { r.Response.Count = 999 },
	} {
		a, b := plain(4, 0, 1), plain(4, 0, 1)
		for i := range b {
			b[i].Start = b[i].Start.Add(time.Second)
		}
		change(b[3])
		if r := compared(t, a, b, compare.Options{}); strings.Join(r.Warnings, "; ") != want || r.Warnings == nil {
			t.Errorf("%q, want %q", r.Warnings, want)
		}
	}
	r := compared(t, plain(4, 0, 1), after(plain(4, 0, 1), time.Hour), compare.Options{})
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "A B B A") {
		t.Errorf("one side after the other: %q", r.Warnings)
	}
}

func after(runs []*result.Result, d time.Duration) []*result.Result {
	for _, r := range runs {
		r.Start = r.Start.Add(d)
	}
	return runs
}

// What a run has no figure for cannot decide: silence is not a verdict.
func TestNothingMeasured(t *testing.T) {
	a, b := plain(6, 0.001, 1), after(plain(6, 0.001, 1), time.Second)
	b[0].Response = result.Latency{}
	for _, r := range slices.Concat(a, b) {
		r.CPU = 0
	}
	r := compared(t, a, b, compare.Options{})
	if r.Verdict != compare.Undecided || !strings.Contains(r.Sentence, "p99 cannot be compared") || r.Metric("cpu_ns") != nil || r.Metric("p50") != nil {
		t.Errorf("%s", r.Sentence)
	}
	for _, w := range r.Warnings {
		if strings.Contains(w, "cpu_ns") {
			t.Errorf("what no run has is no warning: %s", w)
		}
	}
	for _, r := range a {
		r.QPS = 0
	}
	if r := compared(t, a, b, compare.Options{}); r.Metric("qps") != nil || !strings.Contains(strings.Join(r.Warnings, "\n"), "qps is left out: there are no percentages of 0, which A has") {
		t.Errorf("percent of nothing: %q", r.Warnings)
	}
}

func TestOptions(t *testing.T) {
	a, b := plain(4, 0, 1), after(plain(4, 0, 1), time.Second)
	for want, o := range map[string]compare.Options{
		"confidence 97 %: there are [80 90":            {Level: 97},
		"within -1 percent: it is a number above 0":    {Within: -1},
		"within NaN points: it is a number above 0":    {Points: math.NaN()},
		`metric "rtt": there are qps, completed, loss`: {Deciding: []string{"qps", "rtt"}},
	} {
		if _, err := compare.Runs(a, b, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	b = after(plain(4, 0, 1.08), time.Second)
	for within, want := range map[float64]compare.Verdict{2: compare.Worse, 10: compare.Same} {
		if r := compared(t, a, b, compare.Options{Within: within}); r.Verdict != want {
			t.Errorf("within %v %%: %s", within, r.Sentence)
		}
	}
	for points, want := range map[float64]compare.Verdict{0.05: compare.Worse, 0.5: compare.Same} {
		b[0].Lost.Timeout, b[1].Lost.Timeout, b[2].Lost.Timeout, b[3].Lost.Timeout = 2000, 2001, 2002, 2003
		if r := compared(t, a, b, compare.Options{Points: points, Deciding: []string{"loss"}}); r.Verdict != want {
			t.Errorf("within %v points: %s", points, r.Sentence)
		}
	}
}

// A wider interval comes with more confidence.
func TestLevel(t *testing.T) {
	as, bs := sides(random(4), usual(0.02), usual(0.02), 12)
	last := 0.0
	for _, l := range []float64{80, 95, 99} {
		var o compare.Options
		if err := json.Unmarshal(fmt.Appendf(nil, `{"Level": %v}`, l), &o); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"qps", "p99"} {
			m := values(t, compared(t, as, bs, o), name)
			if name == "p99" {
				if m.High-m.Low <= last {
					t.Errorf("at %v %%: %v wide, %v before", l, m.High-m.Low, last)
				}
				last = m.High - m.Low
			}
		}
	}
}
