package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/load/compare"
	"github.com/dnsq/dnsq/internal/load/result"
)

// compareRuns runs "load compare" with args under a root of its own.
func compareRuns(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	e := nowhere()
	e.stdout, e.stderr = &out, &errs
	load := &cobra.Command{Use: "load"}
	load.AddCommand(loadCompareCommand(e))
	code = e.exit(execute(e, load, append([]string{"load", "compare"}, args...)))
	return code, out.String(), errs.String()
}

// recordedRuns writes n files of runs with this rate and latency, which vary by some thousandths, and returns their names.
func recordedRuns(t *testing.T, dir, side string, n int, qps, p99 float64) (names []string) {
	t.Helper()
	for i := range n {
		by := 1 + 0.002*float64(i%3)
		r := &result.Result{
			Schema: result.Schema, Verdict: result.Valid, QPS: qps * by, Sent: 100_000, Planned: 100_000, Completed: 100_000,
			Plan:     result.Plan{Mode: "closed", Transport: "udp", Outstanding: 10, Servers: []string{"192.0.2.1:53"}, Queries: "q.txt", Seconds: 10},
			Response: result.Latency{Count: 100_000, P50: p99 / 5 * by, P90: p99 / 2 * by, P99: p99 * by, P999: 2 * p99 * by, Mean: p99 / 4 * by},
			Start:    time.Unix(int64(1e9+2*i+len(side)), int64(side[0])),
		}
		names = append(names, recordRun(t, dir, fmt.Sprintf("%s%d.json", side, i), r))
	}
	return names
}

func recordRun(t *testing.T, dir, name string, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// against puts the -- between.
func against(a, b []string) []string { return slices.Concat(a, []string{"--"}, b) }

// The verdict is the last line and the exit status.
func TestLoadCompare(t *testing.T) {
	dir := t.TempDir()
	a := recordedRuns(t, dir, "a", 10, 1000, 500)
	for _, tt := range []struct {
		name string
		b    []string
		args []string
		code int
		last string
	}{
		{"same", recordedRuns(t, dir, "b", 10, 1001, 501), nil, exitOK, "B is the same as A within 5 %: qps same"},
		{"worse", recordedRuns(t, dir, "c", 10, 1000, 560), nil, exitMissed, "B is worse than A: qps same"},
		{"better", recordedRuns(t, dir, "d", 10, 1300, 400), nil, exitOK, "B is better than A: qps better (+30.0 %"},
		{"undecided", recordedRuns(t, dir, "e", 1, 1000, 560), nil, exitUndecided, "Undecided: qps undecided"},
		{"worse, and of no matter", recordedRuns(t, dir, "f", 10, 1000, 560), []string{"--within", "15"}, exitOK, "B is the same as A within 15 %"},
		{"by another metric", recordedRuns(t, dir, "g", 10, 1000, 560), []string{"--metric", "qps,loss"}, exitOK, "B is the same as A within 5 % (0.05 points): qps same"},
	} {
		code, out, errs := compareRuns(append(tt.args, against(a, tt.b)...)...)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if last := lines[len(lines)-1]; code != tt.code || !strings.HasPrefix(last, tt.last) || (errs == "") != (code == exitOK) {
			t.Errorf("%s: exit code %d, %s\n%s", tt.name, code, errs, out)
		}
	}
}

// --json has the report in a file, under a schema of its own, and never where a run is.
func TestLoadCompareJSON(t *testing.T) {
	dir := t.TempDir()
	a, b := recordedRuns(t, dir, "a", 6, 1000, 500), recordedRuns(t, dir, "b", 6, 1000, 700)
	file := filepath.Join(dir, "report.json")
	if code, _, errs := compareRuns(append([]string{"--confidence", "90", "--json", file}, against(a, b)...)...); code != exitMissed {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r compare.Report
	if err := json.Unmarshal(text, &r); err != nil || r.Schema != compare.Schema || r.Verdict != compare.Worse || r.Level != 90 || !slices.Equal(r.Sides[0].Runs, a) {
		t.Errorf("%v: %s", err, text)
	}
	checkSchema(t, "load-compare", text)
	before, err := os.ReadFile(a[0])
	if err != nil {
		t.Fatal(err)
	}
	code, _, errs := compareRuns(append([]string{"--json"}, against(a, b)...)...)
	if after, err := os.ReadFile(a[0]); code != exitUsage || !strings.Contains(errs, "that file is a run") || !bytes.Equal(before, after) {
		t.Errorf("over a run: exit code %d, %s, %v", code, errs, err)
	}
}

// What is wrong is said in one line that names it.
func TestLoadCompareRefusals(t *testing.T) {
	dir := t.TempDir()
	a, b := recordedRuns(t, dir, "a", 4, 1000, 500), recordedRuns(t, dir, "b", 4, 1000, 500)
	other := recordRun(t, dir, "other.json", map[string]string{"schema": "dnsq-load/9"})
	typed := recordRun(t, dir, "typed.json", map[string]any{"schema": result.Schema, "qps": "many"})
	open := recordRun(t, dir, "open.json", result.Result{Schema: result.Schema, Verdict: result.Valid, Plan: result.Plan{Mode: "open"}})
	bad := recordRun(t, dir, "bad.json", result.Result{Schema: result.Schema, Verdict: result.Invalid, Reasons: []result.Reason{{Code: result.CodeBehind, Text: "it fell behind"}}})
	broken := filepath.Join(dir, "broken.json")
	if err := os.WriteFile(broken, []byte("qps: 5"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{a, "write -- between"},
		{against(nil, b), "write files on both sides of the --"},
		{against(a, nil), "write files on both sides of the --"},
		{against(a, []string{filepath.Join(dir, "none.json")}), "none.json: "},
		{against(a, []string{broken}), "broken.json: not the JSON of a load run"},
		{against(a, []string{typed}), "typed.json: not as schema"},
		{against(a, []string{other}), `other.json: schema "dnsq-load/9", want "dnsq-load/1"`},
		{against(a, []string{open}), "open.json open; transport: "},
		{against(a, []string{bad}), "B has no run to compare: 1 left out"},
		{against(a, append(b, "--json")), "--json is taken for a file of B: write flags before the --"},
		{append([]string{"--within", "0"}, against(a, b)...), "--within 0: write a number above 0"},
		{append([]string{"--within-points", "-1"}, against(a, b)...), "--within-points -1: write a number above 0"},
		{append([]string{"--confidence", "0"}, against(a, b)...), "--confidence 0: there are 80, 90"},
		{append([]string{"--confidence", "97"}, against(a, b)...), "confidence 97 %: there are"},
		{append([]string{"--metric", "rtt"}, against(a, b)...), `metric "rtt": there are qps, completed, loss, p50`},
		{append([]string{"--what"}, against(a, b)...), "unknown flag: --what; see dnsq load compare --help"},
	} {
		code, out, errs := compareRuns(tt.args...)
		if code != exitUsage || out != "" || !strings.Contains(errs, tt.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: exit code %d, %s%s\nwant %s", tt.args, code, out, errs, tt.want)
		}
	}
	for flag, side := range map[string]string{"--anyway": open, "--invalid": bad} {
		if code, out, errs := compareRuns(append([]string{flag, "--anyway"}, against(a, []string{side})...)...); code != exitUndecided || !strings.Contains(out, "warning: ") {
			t.Errorf("%s: exit code %d, %s%s", flag, code, out, errs)
		}
	}
	if code, _, errs := compareRuns(append([]string{"--json", filepath.Join(dir, "no", "report.json")}, against(a, b)...)...); code != exitInternal || !strings.Contains(errs, "report.json") {
		t.Errorf("a file that cannot be made: exit code %d, %s", code, errs)
	}
}
