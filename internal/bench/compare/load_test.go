package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	loadresult "github.com/dnsq/dnsq/internal/load/result"
)

func TestParseLoad(t *testing.T) {
	o, err := parse([]string{"--load", "--runs", "2", "--seconds", "0.5", "--markdown"})
	if err != nil || !o.load.chosen || !o.load.markdown || o.load.seconds != 0.5 || o.runs != 2 {
		t.Errorf("%+v, %v", o, err)
	}
	var built []string
	for _, p := range o.programs {
		built = append(built, p.name)
	}
	if !slices.Equal(built, []string{"dnsq", "reflect"}) {
		t.Errorf("to be built: %q", built)
	}
	quiet(t)
	for args, want := range map[string]string{
		"--load --queries 1000":  "--queries",
		"--load --outstanding 1": "--outstanding",
		"--markdown":             "--load",
		"--seconds 2":            "--load",
		"--load --seconds 0.01":  "from 0.1 to",
		"--load --seconds NaN":   "from 0.1 to",
		"--load --seconds 1e9":   "from 0.1 to",
		"--load extra":           "no arguments",
	} {
		if _, err := parse(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want something about %q", args, err, want)
		}
	}
}

// Both sides of a work are given the same, but for what dnsperf needs to tell each latency.
func TestWorks(t *testing.T) {
	o, err := parse([]string{"--load"})
	if err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, w := range works(o.load) {
		total += 2 * w.seconds * float64(o.runs)
		if strings.TrimSuffix(w.peer.flags, verbose) != w.ours.flags || w.ours.client != "dnsq" || len(w.figures) == 0 {
			t.Errorf("%+v", w)
		}
		if w.peer.client == "dnsperf" && w.peer.server != w.ours.server {
			t.Errorf("%s: dnsperf asks %s and dnsq %s", w.name, w.peer.server, w.ours.server)
		}
	}
	if total > 150 {
		t.Errorf("the runs take %v s, more than the three minutes with what is around them", total)
	}
}

const dnsperfSays = `DNS Performance Testing Tool
Version 2.10.0

[Status] Command line: dnsperf -v
> NOERROR h0000001.example.com A 0.002500
> T h0000002.example.com A
> NOERROR h0000000.example.com A 0.001500
[Status] Testing complete (time limit)

Statistics:

  Queries sent:         3
  Queries completed:    2 (66.67%)
  Queries lost:         1 (33.33%)

  Run time (s):         2.055700
  Queries per second:   93686.822007
`

func TestReadDnsperf(t *testing.T) {
	r, version, err := readDnsperf(dnsperfSays)
	if err != nil || version != "2.10.0" {
		t.Errorf("%q, %v", version, err)
	}
	if diff := cmp.Diff(result{"completed": 2, "lost": 1, "qps": 93686.822007, "p99_ms": 2.5}, r); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	before, _, _ := strings.Cut(dnsperfSays, "  Queries per second")
	if _, _, err := readDnsperf(before); err == nil || !strings.Contains(err.Error(), "qps") {
		t.Errorf("without a rate: %v", err)
	}
}

func TestPercentile(t *testing.T) {
	var hundred []float64
	for i := range 100 {
		hundred = append(hundred, float64(100-i))
	}
	for p, want := range map[float64]float64{0: 1, 1: 1, 50: 50, 98.5: 99, 99: 99, 100: 100} {
		if got := percentile(hundred, p); got != want {
			t.Errorf("%v %% of 1 to 100: %v, want %v", p, got, want)
		}
	}
}

func TestOfLoad(t *testing.T) {
	l := &loadresult.Result{Completed: 4, QPS: 2, CPU: 1500}
	l.Lost.Timeout, l.Lost.Late = 2, 3
	l.Response.P99, l.Response.P50, l.Service.P50 = 150_000, 40, 90
	r := ofLoad(l)
	if err := r.addCPU(8000); err != nil { // ns
		t.Fatal(err)
	}
	want := result{"completed": 4, "lost": 5, "qps": 2, "own_cpu_us": 1.5, "p99_ms": 150, "p50_off_ms": 0.05, "cpu_us": 2, "per_cpu_s": 500_000}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := (result{}).addCPU(1); err == nil {
		t.Error("nothing completed, and no error")
	}
}

// A run of half a second has five slots, of which four count.
func TestPacing(t *testing.T) {
	even := slices.Repeat([]int{10}, 500)
	holes := slices.Clone(even)
	holes[0], holes[1], holes[150], holes[350] = 0, 20, 0, 15 // 1,000 1,000-10 1,000 1,000+5
	for _, tt := range []struct {
		name                string
		bins                []int
		off, empty, arrived float64
	}{
		{"even", even, 0, 0, 5000},
		{"holes", holes, 1, 0.5, 4995},
		{"the last slot does not count", even[:410], 0, 0, 4100},
		{"ends too early", even[:300], 100, 25, 3000},
	} {
		var line strings.Builder
		for _, n := range tt.bins {
			line.WriteString(number(float64(n)) + " ")
		}
		r := result{}
		if err := addPacing(r, line.String()+"\n", 10_000, 0.5); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(result{"slot_off": tt.off, "empty": tt.empty, "arrived": tt.arrived}, r); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	for _, said := range []string{"", "\n", "10 x\n"} {
		if err := addPacing(result{}, said, 10_000, 0.5); err == nil {
			t.Errorf("%q: no error", said)
		}
	}
	if err := addPacing(result{}, "10 10", 10_000, 0.1); err == nil {
		t.Error("a run without a whole slot: no error")
	}
}

func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		t    target
		x    float64
		text string
		want string
	}{
		{atMost(3.4), 3.4, "<= 3.4", "met"},
		{atMost(3.4), 3.41, "<= 3.4", "missed"},
		{atLeast(1_200_000), 1_200_000, ">= 1,200,000", "met"},
		{atLeast(10), 9.9, ">= 10", "missed"},
		{within(150, 10), 160, "150 ± 10", "met"},
		{within(150, 10), 139, "150 ± 10", "missed"},
		{within(0, 0.1), -0.2, "0 ± 0.1", "missed"},
		{atMost(3), math.NaN(), "<= 3", "not measured"},
	} {
		if got := tt.t.verdict(tt.x); got != tt.want || tt.t.text != tt.text {
			t.Errorf("%v, target %q: %s, want %s of %q", tt.x, tt.t.text, got, tt.want, tt.text)
		}
	}
}

func TestRows(t *testing.T) {
	w := work{name: "w", peer: side{label: "theirs"}, figures: []figure{
		{what: "CPU", key: "cpu", decimals: 1, target: atMost(3), ratio: atMost(0.4)},
		{what: "rate", key: "qps", ratio: atLeast(2)},
		{what: "own", key: "own", alone: true},
	}}
	got := w.rows([]result{{"cpu": 2, "qps": 1000, "own": 7}}, []result{{"cpu": 8, "qps": 1_234_567}})
	want := [][]string{
		{"w", "CPU", "2.0", "theirs 8.0", "0.25", "<= 3; <= 0.4 x theirs", "met; met"},
		{"", "rate", "1,000", "theirs 1,234,567", "0.00", ">= 2 x theirs", "missed"},
		{"", "own", "7", "–", "", "", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, row := range w.rows([]result{{"cpu": 4}}, nil)[:1] { // no peer
		if row[6] != "missed; not measured" {
			t.Errorf("without a peer: %q", row)
		}
	}
}

func TestPrintTable(t *testing.T) {
	rows := [][]string{{"work", "here"}, {"w", "met"}}
	for markdown, want := range map[bool]string{true: "| work | here |\n|---|---|\n| w | met |\n", false: "work  here\nw     met\n"} {
		var b strings.Builder
		printTable(&b, rows, markdown)
		if b.String() != want {
			t.Errorf("Markdown %t:\n%s", markdown, b.String())
		}
	}
}

func TestCommas(t *testing.T) {
	for text, want := range map[string]string{"1": "1", "123": "123", "1234": "1,234", "1234567.8901": "1,234,567.8901", "-123": "-123", "-1234": "-1,234", "–": "–"} {
		if got := commas(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
