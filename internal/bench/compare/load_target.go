package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// target is a range that a figure is to be in; the zero value is none.
type target struct {
	text        string
	least, most float64
}

func atMost(x float64) target  { return target{"<= " + number(x), math.Inf(-1), x} }
func atLeast(x float64) target { return target{">= " + number(x), x, math.Inf(1)} }

func within(x, off float64) target {
	return target{fmt.Sprintf("%s ± %s", number(x), number(off)), x - off, x + off}
}

// number is x in full, with commas.
func number(x float64) string { return commas(strconv.FormatFloat(x, 'f', -1, 64)) }

// verdict says whether x is in the range, NaN where it was not measured.
func (t target) verdict(x float64) string {
	switch {
	case math.IsNaN(x):
		return "not measured"
	case x >= t.least && x <= t.most:
		return "met"
	}
	return "missed"
}

// figure is a value of the runs' results.
type figure struct {
	what     string
	key      string
	decimals int
	target   target
	ratio    target // to the peer's
	alone    bool   // a ratio would mean nothing
}

// heading is the table's first row.
func heading() []string { return []string{"work", "figure", "dnsq", "peer", "ratio", "target", "here"} }

// rows are the table's for a work.
func (w *work) rows(ours, peers []result) [][]string {
	var rows [][]string
	for i, f := range w.figures {
		name := w.name
		if i > 0 {
			name = ""
		}
		rows = append(rows, append([]string{name}, f.row(median(ours, f.key), median(peers, f.key), w.peer.label)...))
	}
	return rows
}

// row is one figure's part of a row.
func (f *figure) row(our, peers float64, label string) []string {
	peer := commas(cell(peers, f.decimals))
	if !math.IsNaN(peers) {
		peer = label + " " + peer
	}
	var targets, verdicts []string
	for _, t := range []struct {
		target
		x    float64
		unit string
	}{{f.target, our, ""}, {f.ratio, our / peers, " x " + label}} {
		if t.text != "" {
			targets = append(targets, t.text+t.unit)
			verdicts = append(verdicts, t.verdict(t.x))
		}
	}
	ratio := cell(our/peers, 2)
	if f.alone {
		ratio = ""
	}
	return []string{f.what, commas(cell(our, f.decimals)), peer, ratio, strings.Join(targets, "; "), strings.Join(verdicts, "; ")}
}

// commas puts one between each three digits before the point.
func commas(text string) string {
	whole, rest, point := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	return whole
}
