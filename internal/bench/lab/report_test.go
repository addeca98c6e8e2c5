package lab_test

import (
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/stat"
)

// result is what a command might give.
type result struct {
	Cells []int `json:"cells"`
}

func (result) Text() string { return "text\n" }

func (result) Rows() []lab.Row { return []lab.Row{{"a | b", "1\n2", "3"}, {"c", "–", "4"}} }

func (result) Plots() []lab.Plot { return nil }

func report(o lab.Options, notes ...string) *lab.Report {
	l := lab.New(o, nil)
	l.Notes = notes
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	return l.Report("bench x", lab.Machine{Kernel: "Linux 6", CPUs: 2}, at, result{[]int{1, 2}})
}

func TestJSON(t *testing.T) {
	one := report(lab.Options{Runs: 3, Seconds: 0.5, Seed: 7, Server: netip.MustParseAddrPort("192.0.2.1:53")}, "no uring")
	text, err := lab.JSON([]*lab.Report{one})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"schema": 1.0, "command": "bench x", "date": "2026-01-02T02:04:05Z", "seed": 7.0, "runs": 3.0, "seconds": 0.5, "server": "192.0.2.1:53",
		"machine": map[string]any{"kernel": "Linux 6", "system": "", "cpus": 2.0, "clock_source": "", "go": "", "version": ""},
		"notes":   []any{"no uring"}, "results": map[string]any{"cells": []any{1.0, 2.0}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text, err = lab.JSON([]*lab.Report{report(lab.Options{}), one}); err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	if err := json.Unmarshal(text, &list); err != nil || len(list) != 2 || list[0]["server"] != "" || cmp.Diff([]any{}, list[0]["notes"]) != "" {
		t.Errorf("a list: %s, %v", text, err)
	}
}

func TestMarkdown(t *testing.T) {
	want := `| question | the document | this machine | command |
|---|---|---|---|
| a \| b | 1 2 | 3 | ` + "`dnsq bench x`" + ` |
| c | – | 4 | ` + "`dnsq bench x`" + ` |
`
	if diff := cmp.Diff(want, lab.Markdown([]*lab.Report{report(lab.Options{})})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Every value is in a bar, and the bars of a sample are all of it.
func TestHistogram(t *testing.T) {
	p := lab.Histogram("title", "ns", stat.Sample{Name: "a", Values: []float64{0, 24, 24, 12.5}}, stat.Sample{Name: "b", Values: []float64{3.2}})
	a, b := p.Series[0].Values, p.Series[1].Values
	if len(p.Labels) != 24 || p.Labels[0] != "0.5" || p.Labels[23] != "23.5" {
		t.Errorf("labels %q", p.Labels)
	}
	if a[0] != 0.25 || a[12] != 0.25 || a[23] != 0.5 || b[3] != 1 {
		t.Errorf("bars %v, %v", a, b)
	}
	wide := lab.Histogram("", "", stat.Sample{Values: []float64{21680, 69230}})
	if wide.Labels[0] != "22671" || wide.Labels[23] != "68239" {
		t.Errorf("labels %q", wide.Labels)
	}
	if same := lab.Histogram("", "", stat.Sample{Values: []float64{5, 5}}); same.Series[0].Values[0] != 1 {
		t.Errorf("equal values: %v", same.Series[0].Values)
	}
}

func TestSVG(t *testing.T) {
	p := lab.Histogram("user time", "ns a query", stat.Sample{Name: "recvfrom", Values: []float64{1, 2, 2}}, stat.Sample{Name: "recvmmsg", Values: []float64{3}})
	for _, plots := range [][]lab.Plot{nil, {p}, {p, p}} {
		svg, err := lab.SVG(plots)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(svg); !strings.HasPrefix(text, "<svg ") || strings.Count(text, ">user time<") != len(plots) || strings.Count(text, ">recvmmsg<") != len(plots) {
			t.Errorf("%d plots: %.300s", len(plots), text)
		}
	}
}
