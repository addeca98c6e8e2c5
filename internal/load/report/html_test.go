package report_test

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/load/report"
	"github.com/dnsq/dnsq/internal/load/result"
)

func page(t *testing.T, r *result.Result) string {
	t.Helper()
	var b strings.Builder
	if err := report.HTML(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHTML(t *testing.T) {
	r, _ := run{seconds: 30, rate: 1000, stall: 12}.result(t)
	all := page(t, r)
	for _, want := range []string{
		">Valid</h2>", `<dd class="value">99.67%</dd>`, "<h2>Rate</h2>", "<h2>Loss</h2>", "<h2>Latency by percentile</h2>", "<h2>Latency over time</h2>",
		"<th scope=\"col\">NXDOMAIN</th>", "<dd>queries.txt (3 queries)</dd>", "<dd>AMD EPYC</dd>", "<pre>dnsq load -s 192.0.2.1 --rate 1000</pre>",
		">99.9%</text>", ">100 ms</text>",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in the page", want)
		}
	}
	if strings.Contains(all, "rgb(1,2,") || strings.Contains(all, "Roboto Medium") {
		t.Error("the library's own colors or letters are left")
	}
	if got := strings.Count(all, "<svg "); got != 8 || strings.Count(all, "</svg>") != 8 {
		t.Errorf("%d charts, want four in two sizes", got)
	}
}

// Nothing that a browser would fetch or run is in the page, whatever the result's names are.
func TestHTMLEscapes(t *testing.T) {
	const bad = `"><script>alert(1)</script><img src=//x.test onerror=alert(1)>'`
	r, _ := run{seconds: 3, rate: 100}.result(t)
	r.Verdict, r.Reasons = result.Invalid, []result.Reason{{Code: bad, Text: bad}}
	r.Command = []string{"dnsq", bad}
	r.Version, r.Targets[0].Server, r.Types[0].Type, r.Types[0].Rcodes = bad, bad, bad, map[string]uint64{bad: 1}
	r.Plan = result.Plan{Mode: bad, Transport: bad, Servers: []string{bad}, Rate: bad, Arrival: bad, Queries: bad, Backend: bad, Poller: bad}
	r.Host = result.Host{System: bad, CPU: bad, Affinity: bad, Clock: bad, Go: bad}
	all := page(t, r)
	for _, tag := range regexp.MustCompile(`<[^>]*>`).FindAllString(all, -1) {
		if regexp.MustCompile(`(?i)^<(script|img|link|iframe|object|a)\b|\s(src|href|srcset|on\w+)\s*=`).MatchString(tag) {
			t.Errorf("%s in the page", tag)
		}
	}
	if n := strings.Count(all, "&lt;script&gt;"); n < 20 {
		t.Errorf("%d of the names are shown, want all of 20", n)
	}
	if regexp.MustCompile(`@import|url\(`).MatchString(all) {
		t.Error("the style asks for something")
	}
}

func TestHTMLInvalid(t *testing.T) {
	r, _ := run{seconds: 1, rate: 100}.result(t)
	r.Verdict, r.Reasons = result.Invalid, []result.Reason{{Code: result.CodeClientDrop, Text: "7 answers were dropped"}}
	all := page(t, r)
	if !strings.Contains(all, ">Invalid</h2>") || !strings.Contains(all, "<li><strong>client-drop</strong>: 7 answers were dropped.</li>") {
		t.Errorf("%s", all)
	}
	if !strings.Contains(all, "Nothing was lost, and nothing left unsent.") {
		t.Error("a run without loss does not say so")
	}
}

// Where there is nothing to draw, the page says so.
func TestHTMLEmpty(t *testing.T) {
	all := page(t, &result.Result{})
	if strings.Contains(all, "<svg") || strings.Count(all, "Nothing was answered.") != 2 || !strings.Contains(all, "No second was counted.") || !strings.Contains(all, ">Invalid</h2>") {
		t.Errorf("%s", all)
	}
	r := named()
	r.BySecond = []result.Second{{At: 0, Target: 10}, {At: 1, Lost: 4}} // all was lost
	if all := page(t, r); strings.Count(all, "<svg") != 4 {
		t.Errorf("%s", all)
	}
}

// What is drawn of an hour is no more than what is drawn of some minutes, and counts of any size have their place.
func TestHTMLHour(t *testing.T) {
	hour, _ := run{seconds: 3600, rate: 30, stall: 1200, weight: 1e9}.result(t)
	if n := len(page(t, hour)); n > 200_000 {
		t.Errorf("%d octets", n)
	}
	for _, at := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt - 1000, 1e9} {
		hour.BySecond = []result.Second{{At: at, Sent: math.MaxUint64, Completed: math.MaxUint64, Lost: math.MaxUint64, Unsent: math.MaxUint64, Heat: []uint64{99: math.MaxUint64}}}
		if n := len(page(t, hour)); n > 200_000 {
			t.Errorf("a second %d: %d octets", at, n)
		}
	}
}

func TestHTMLBadHistogram(t *testing.T) {
	r, _ := run{seconds: 1, rate: 10}.result(t)
	r.Histograms.Service = "x"
	if err := report.HTML(&strings.Builder{}, r); err == nil || !strings.Contains(err.Error(), "service time: a histogram, want HdrHistogram's") {
		t.Errorf("%v, want an error that names it and says what would be right", err)
	}
}
