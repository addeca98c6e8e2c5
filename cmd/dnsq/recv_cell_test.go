package main

import (
	"errors"
	"strings"
	"testing"
)

// 24 cells by default, in all 392, within bounds and each once; --vs can name every one.
func TestRecvGrid(t *testing.T) {
	all := map[recvCell]bool{}
	for _, c := range recvGrid(true) {
		all[c] = true
		if got, err := parseRecvCell(c.String()); got != c || err != nil {
			t.Errorf("%v: %v, %v", c, got, err)
		}
	}
	if len(all) != 2*4*7*7 || len(recvGrid(true)) != len(all) {
		t.Errorf("%d cells, %d of them different; want 392", len(recvGrid(true)), len(all))
	}
	for _, c := range recvGrid(false) {
		if !all[recvCell{c.Loop, c.Backend, c.Buffers, c.Outstanding}] && c.Outstanding != 1 {
			t.Errorf("%v is not in the full grid", c)
		}
	}
	if n := len(recvGrid(false)); n != 24 || len(recvGridNamed("none")) != 0 || len(recvGridNamed("full")) != 392 {
		t.Errorf("%d cells by default", n)
	}
}

func TestParseRecvPair(t *testing.T) {
	want := [2]recvCell{{"edge", "recvfrom", 2, 1}, {"level", "uring", 64, 4096}}
	if got, err := parseRecvPair("edge/recvfrom,level/uring/64/4096"); got != want || err != nil {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if got := documentCells(); got != [2]recvCell{{"edge", "recvfrom", 2, 1}, {"edge", "recvmmsg", 2, 1}} {
		t.Errorf("the document's pair is %v", got)
	}
	for text, want := range map[string]string{
		"":                                "two cells",
		"edge/recvfrom":                   "two cells",
		"edge/recvfrom,edge/gso,edge/gso": "two cells",
		"edge,edge/gso":                   `"edge": write loop/backend`,
		"edge/gso,edge/gso/1/2/3":         "write loop/backend",
		"poll/gso,edge/gso":               `no "poll"; there are: edge level`,
		"edge/gso,edge/net":               `no "net"; there are: recvfrom recvmmsg gso uring`,
		"edge/gso/0,edge/gso":             `from 1 to 64 in place of "0"`,
		"edge/gso/65,edge/gso":            "from 1 to 64",
		"edge/gso/x,edge/gso":             `in place of "x"`,
		"edge/gso,edge/gso/2/4097":        "from 1 to 4096",
	} {
		_, err := parseRecvPair(text)
		if !errors.As(err, new(usageError)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
