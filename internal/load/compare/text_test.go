package compare_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/load/compare"
	"github.com/dnsq/dnsq/internal/load/result"
)

// two sides of six, the second slower; one of its runs is invalid.
func shown(t *testing.T) *compare.Report {
	t.Helper()
	a, b := plain(6, 0.002, 1), after(plain(7, 0.002, 1.25), time.Second)
	b[6].Verdict, b[6].Reasons = result.Invalid, []result.Reason{{Code: result.CodeBehind, Text: "5 % were sent too late"}}
	for i := range b {
		b[i].QPS *= 1.02
		b[i].Lost.Timeout = 1000
		b[i].Plan.Servers = []string{"192.0.2.2:53"}
		b[i].Plan.Threads = 2
	}
	return compared(t, a, b, compare.Options{Names: [2][]string{nil, {"b1.json", "b2.json", "b3.json", "b4.json", "b5.json", "b6.json", "b7.json"}}})
}

func TestText(t *testing.T) {
	want := strings.TrimPrefix(`
A  6 runs: 192.0.2.1:53
B  6 runs: 192.0.2.2:53
   left out: b7.json, its verdict is invalid: 5 % were sent too late
closed, udp, 100 outstanding, queries: file.txt, 10 s

                        A       B          shift     95 % interval  verdict
* qps, 1/s         100500  102510         +2.0 %      +1.5 to +2.5     same
  loss, %           0.000   0.100  +0.100 points  +0.100 to +0.100    worse
  p50, µs           201.0   251.2        +25.0 %    +24.4 to +25.6    worse
  p90, µs           402.0   502.5        +25.0 %    +24.4 to +25.6    worse
* p99, µs            1005    1256        +25.0 %    +24.4 to +25.6    worse
  p999, µs           4020    5025        +25.0 %    +24.4 to +25.6    worse
  mean, µs          241.2   301.5        +25.0 %    +24.4 to +25.6    worse
  service_p50, µs   201.0   251.2        +25.0 %    +24.4 to +25.6    worse
  service_p99, µs    1005    1256        +25.0 %    +24.4 to +25.6    worse
  cpu_ns, ns        800.0   800.0         +0.0 %      +0.0 to +0.0     same

warning: threads: A1 has 1, b1.json 2

B is worse than A: qps same (+2.0 %, +1.5 to +2.5), p99 worse (+25.0 %, +24.4 to +25.6).
`, "\n")
	text := shown(t).Text()
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The JSON is read by others: it keeps its names, and lists are lists where they are empty.
func TestJSON(t *testing.T) {
	text, err := json.Marshal(shown(t))
	if err != nil {
		t.Fatal(err)
	}
	var got compare.Report
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "null") {
		t.Errorf("%s", text)
	}
	for _, want := range []string{`"schema":"dnsq-load-compare/1"`, `"confidence_percent":95`, `"excluded":[]`, `"verdict":"worse"`, `"name":"p99"`, `"more_runs_each":0`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if got.Text() != shown(t).Text() {
		t.Errorf("the JSON does not say what the text does:\n%s", got.Text())
	}
}

// The sentence says what was found, of what decides, and what to do where nothing was.
func TestSentences(t *testing.T) {
	a := plain(10, 0.001, 1)
	for _, tt := range []struct {
		b    []*result.Result
		want string
	}{
		{plain(10, 0.001, 1), "B is the same as A within 5 %: qps same ("},
		{plain(10, 0.001, 1.3), "B is worse than A: qps same (+0.0 %, -0.3 to +0.3), p99 worse (+30.0 %, "},
		{plain(10, 0.001, 0.7), "B is better than A: qps same (+0.0 %, -0.3 to +0.3), p99 better (-30.0 %, "},
		{plain(1, 0.001, 0.7), "Undecided: qps undecided (-0.4 %, too few runs), p99 undecided (-30.3 %, too few runs). About 7 more runs a side would probably decide."},
	} {
		if r := compared(t, a, after(tt.b, time.Second), compare.Options{}); !strings.HasPrefix(r.Sentence, tt.want) {
			t.Errorf("%s\nwant %s", r.Sentence, tt.want)
		}
	}
}

// What is in a file of somebody else's does not get at the terminal.
func TestTextIsPrintable(t *testing.T) {
	a, b := plain(4, 0.001, 1), after(plain(4, 0.001, 1), time.Second)
	const bad = "x\x1b[2J\ny"
	for _, r := range append(a, b...) {
		r.Plan.Servers, r.Plan.Queries = []string{bad}, bad
	}
	a[0].Verdict = bad
	b[0].Plan.Backend = bad
	text := compared(t, a, b, compare.Options{Names: [2][]string{{bad}}}).Text()
	if strings.Contains(text, "\x1b") || strings.Contains(text, "\ny") || strings.Count(text, "x\ufffd[2J\ufffdy") != 6 {
		t.Errorf("%q", text)
	}
}
