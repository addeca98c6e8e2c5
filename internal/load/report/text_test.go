package report_test

import (
	"flag"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/golden"
	"github.com/dnsq/dnsq/internal/load/report"
	"github.com/dnsq/dnsq/internal/load/result"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

func summary(t *testing.T, r *result.Result) string {
	t.Helper()
	var b strings.Builder
	if err := report.Text(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What dnsperf 2.10 printed for such a run, verbatim.
const dnsperf = `
Statistics:

  Queries sent:         2000
  Queries completed:    2000 (100.00%)
  Queries lost:         0 (0.00%)

  Response codes:       NOERROR 667 (33.35%), REFUSED 1333 (66.65%)
  Average packet size:  request 27, response 32
  Run time (s):         2.000171
  Queries per second:   999.914507

  Average Latency (s):  0.000069 (min 0.000024, max 0.001956)
  Latency StdDev (s):   0.000092

`

func TestTextIsDnsperfs(t *testing.T) {
	r := &result.Result{
		Verdict: result.Valid, Sent: 2000, Completed: 2000, Seconds: 2.000171, QPS: 2000 / 2.000171, SentOctets: 2000 * 27, Octets: 2000 * 32,
		Types:   []result.TypeRow{{Type: "A", Sent: 1000, Rcodes: map[string]uint64{"REFUSED": 1000}}, {Type: "AAAA", Sent: 1000, Rcodes: map[string]uint64{"REFUSED": 333, "NOERROR": 667}}},
		Service: result.Latency{Count: 2000, Mean: 69, Min: 24, Max: 1956, Stddev: 92},
	}
	got, _, _ := strings.Cut(summary(t, r), "  Percentiles")
	if diff := cmp.Diff(dnsperf, got); diff != "" {
		t.Errorf("(-dnsperf +dnsq):\n%s", diff)
	}
}

// Nothing of dnsperf's lines is said twice: who scrapes them takes the first or all that match.
func TestTextScrapes(t *testing.T) {
	r, _ := run{seconds: 3, rate: 1000, stall: 1}.result(t)
	all := full(t, r)
	for expr, want := range map[string]string{
		`(?m)^  Queries sent: +(\d+)$`:                      "3000",
		`(?m)^  Queries completed: +(\d+) \(\d+\.\d\d%\)$`:  "2900",
		`(?m)^  Queries lost: +(\d+) \(3\.33%\)$`:           "100",
		`(?m)^  Queries interrupted: +(\d+) \(\d+\.\d\d%\)`: "5",
		`(?m)^  Response codes: +NOERROR (\d+) \(`:          "2683",
		`(?m)^  Average packet size: +request (\d+), `:      "27",
		`(?m)^  Run time \(s\): +([\d.]+)$`:                 "3.000000",
		`(?m)^  Queries per second: +([\d.]+)$`:             "966.666667",
		`Queries per second: +(\d+)`:                        "966",
	} {
		found := regexp.MustCompile(expr).FindAllStringSubmatch(all, -1)
		if len(found) != 1 || found[0][1] != want {
			t.Errorf("%s: %q, want %s once in\n%s", expr, found, want, all)
		}
	}
}

// full has something in every line that there is.
func full(t *testing.T, r *result.Result) string {
	t.Helper()
	r.Verdict = result.Invalid
	r.Reasons = []result.Reason{
		{Code: result.CodeClientDrop, Text: "7 answers were dropped in this machine's receive queue"}, {Code: result.CodeNote, Text: "the clock is kvm-clock"},
	}
	r.Interrupted = 5
	r.Unsent = result.Unsent{Behind: 11, Window: 12}
	r.Planned = r.Sent + 23
	r.Lost.ClientDrop, r.Lost.Timeout = 7, r.Lost.Timeout-7
	r.Strays = result.Strays{Late: 1, Duplicate: 2, Mismatched: 3, Unsolicited: 4, Malformed: 5}
	r.Truncated = 29
	l := result.Latency{Count: 4, P50: 10, P99: 20, Max: 30, Mean: 12, Min: 5}
	r.Queued, r.Late = &l, &l
	r.Connections = result.Connections{Made: 3, Failed: 1, Closed: 2}
	return summary(t, r)
}

func TestTextGolden(t *testing.T) {
	// Small, with figures that do not depend on how a histogram rounds.
	l := result.Latency{Count: 90, Min: 13, Mean: 82, Stddev: 40.5, P50: 80, P75: 90, P90: 100, P95: 120, P99: 150, P999: 2000, P9999: 2500, Max: 3000}
	timeouts := l
	timeouts.Count, timeouts.P99, timeouts.P999, timeouts.P9999, timeouts.Max = 100, 2e6, 2e6, 2e6, 2e6
	r := named()
	r.Sent, r.Completed, r.Seconds, r.QPS, r.SentOctets, r.Octets = 100, 90, 1, 90, 2700, 9000
	r.Response, r.Service, r.ResponseTimeout, r.Pacing = l, l, timeouts, l
	r.CPU, r.UserCPU, r.SystemCPU, r.Syscalls = 1500, 500, 1000, 0.125
	r.Lost.Timeout = 10
	r.Types = []result.TypeRow{{Type: "A", Sent: 60, Rcodes: map[string]uint64{"NOERROR": 50, "NXDOMAIN": 5}}, {Type: "AAAA", Sent: 40, Rcodes: map[string]uint64{"NOERROR": 34, "RCODE12": 1}}}
	r.Targets = []result.Target{{Server: "192.0.2.1:53", Sent: 50, Completed: 45, Response: l, Service: l}, {Server: "[2001:db8::53]:53", Sent: 50, Completed: 45, Response: l}}
	r.Shards = []result.ShardRow{{Sent: 70, Completed: 65, Response: l}, {Sent: 30, Completed: 25, Response: timeouts}}
	golden.Compare(t, filepath.Join("testdata", "text.txt"), full(t, r), *update)
}

// A run in which nothing was sent still has dnsperf's lines, and its verdict.
func TestTextEmpty(t *testing.T) {
	golden.Compare(t, filepath.Join("testdata", "empty.txt"), summary(t, &result.Result{Verdict: result.Invalid, Reasons: []result.Reason{{Code: result.CodeUnreachable, Text: "no server answered"}}}), *update)
}

func TestOpening(t *testing.T) {
	r := named()
	r.Start = time.Date(2026, 11, 3, 22, 46, 8, 0, time.Local)
	r.Command = append(r.Command, "a\x1b[2Jb", "\u202e\xff…")
	for _, tt := range []struct {
		seconds float64
		rounds  int
		want    string
	}{{2, 0, "2.000000 seconds"}, {0, 1, "1 run through file"}, {1.5, 3, "1.500000 seconds or 3 runs through file"}, {0, 0, "a signal"}} {
		r.Plan.Seconds, r.Plan.Rounds = tt.seconds, tt.rounds
		var b strings.Builder
		if err := report.Opening(&b, r); err != nil {
			t.Fatal(err)
		}
		want := `DNS Performance Testing Tool
Version 1.2.3 (dnsq)

[Status] Command line: dnsq load -s 192.0.2.1 --rate 1000 a\027[2Jb \226\128\174\255…
[Status] Sending queries (to 192.0.2.1:53, [2001:db8::53]:53)
[Status] Started at: Tue Nov  3 22:46:08 2026
[Status] Stopping after ` + tt.want + `
[Status] Plan: open loop over udp, rate 1000, poisson arrivals, 65536 outstanding, 4 clients, 2 threads, seed 7
`
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	var b strings.Builder
	if err := report.Closing(&b, "time limit"); err != nil || b.String() != "[Status] Testing complete (time limit)\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// What comes from outside moves no terminal's cursor.
func TestTextPlain(t *testing.T) {
	const bad = "\x1b]0;x\a\r\n"
	r, _ := run{seconds: 1, rate: 100}.result(t)
	r.Targets[0].Server, r.Types[0].Type = bad, bad
	r.Types[0].Rcodes = map[string]uint64{bad: 1}
	r.Reasons = []result.Reason{{Code: bad, Text: bad}}
	got := summary(t, r)
	if i := strings.IndexAny(got, "\x1b\a\r"); i >= 0 || strings.Count(got, `\027]0;x\007\013\010`) != 6 {
		t.Errorf("at %d:\n%q", i, got)
	}
}

// Rcodes come in the order of their numbers, as dnsperf has them, and those of no name here by their text; one answer has no deviation.
func TestTextOrder(t *testing.T) {
	r := &result.Result{
		Sent: 5, Completed: 5, Service: result.Latency{Count: 1, Mean: 10, Min: 10, Max: 10},
		Types: []result.TypeRow{{Type: "A", Sent: 5, Rcodes: map[string]uint64{"RCODE12": 1, "BADVERS": 1, "REFUSED": 1, "NXDOMAIN": 1, "SERVFAIL": 1}}},
	}
	got := summary(t, r)
	want := "  Response codes:       SERVFAIL 1 (20.00%), NXDOMAIN 1 (20.00%), REFUSED 1 (20.00%), BADVERS 1 (20.00%), RCODE12 1 (20.00%)\n"
	if !strings.Contains(got, want) {
		t.Errorf("no line %q in\n%s", want, got)
	}
	if strings.Contains(got, "StdDev") {
		t.Errorf("the deviation of one answer:\n%s", got)
	}
}
