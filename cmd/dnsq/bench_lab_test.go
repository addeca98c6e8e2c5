package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/bench/lab"
)

// said is a result that says what its bench was given.
type said struct {
	Given string `json:"given"`
}

func (s said) Text() string    { return s.Given + "\n" }
func (s said) Rows() []lab.Row { return []lab.Row{{Question: "what", Document: "–", Here: s.Given}} }
func (said) Plots() []lab.Plot {
	return []lab.Plot{{Title: "plot", Labels: []string{"a"}, Series: []lab.Series{{Name: "s", Values: []float64{1}}}}}
}

// saying is a bench with defaults.
func saying(name string, runs int, seconds float64) *labBench {
	return &labBench{name: name, runs: runs, seconds: seconds, measure: func(l *lab.Lab) (lab.Result, error) {
		l.Note("a\x1bnote of %s", name)
		return said{fmt.Sprint(name, " ", l.Runs, " ", l.Seconds, " ", l.Seed, " ", l.Server.IsValid())}, nil
	}}
}

// runLabs runs benches, one by itself or several as "bench all", and returns what they print.
func runLabs(t *testing.T, benches []*labBench, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	e := nowhere()
	e.stdout = &out
	c := benchAllCommand(e, benches)
	if len(benches) == 1 {
		c = labCommand(e, benches[0])
	}
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.Execute()
	return out.String(), err
}

// Every bench gets what was asked for, else its own defaults, and its notes follow what it prints.
func TestLabFlags(t *testing.T) {
	one, two := saying("one", 3, 1.5), saying("two", 4, 2)
	for _, tt := range []struct {
		benches []*labBench
		args    string
		want    string
	}{
		{[]*labBench{one}, "", "one 3 1.5 1 false\nnote: a\\027note of one\n"},
		{[]*labBench{one}, "--runs 7 --seconds 0.5 --seed 9 -s 192.0.2.1", "one 7 0.5 9 true\nnote: a\\027note of one\n"},
		{[]*labBench{one}, "-s @self", "one 3 1.5 1 false\nnote: a\\027note of one\n"},
		{[]*labBench{one, two}, "--seed 2", "one 3 1.5 2 false\nnote: a\\027note of one\ntwo 4 2 2 false\nnote: a\\027note of two\n"},
		{[]*labBench{one, two}, "--markdown", "| question | the document | this machine | command |\n|---|---|---|---|\n" +
			"| what | – | one 3 1.5 1 false | `dnsq bench one` |\n| what | – | two 4 2 1 false | `dnsq bench two` |\n"},
	} {
		got, err := runLabs(t, tt.benches, strings.Fields(tt.args)...)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v, (-want +got):\n%s", tt.args, err, diff)
		}
	}
}

// The files hold one envelope, or a list of them, and all plots.
func TestLabFiles(t *testing.T) {
	file, plot := filepath.Join(t.TempDir(), "x.json"), filepath.Join(t.TempDir(), "x.svg")
	read := func(benches []*labBench, to any) {
		t.Helper()
		if _, err := runLabs(t, benches, "--json", file, "--svg", plot); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, to); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	type report struct {
		Command string
		Notes   []string
		Machine lab.Machine
		Results said
	}
	var single report
	read([]*labBench{saying("one", 3, 1)}, &single)
	if single.Command != "bench one" || single.Results.Given != "one 3 1 1 false" || single.Machine != thisMachine() || len(single.Notes) != 1 {
		t.Errorf("%+v", single)
	}
	var list []report
	read([]*labBench{saying("one", 3, 1), saying("two", 3, 1)}, &list)
	if len(list) != 2 || list[1].Command != "bench two" {
		t.Errorf("%+v", list)
	}
	if svg, err := os.ReadFile(plot); err != nil || strings.Count(string(svg), ">plot<") != 2 {
		t.Errorf("%v, %.200s", err, svg)
	}
}

// Errors come before anything is measured, where they can.
func TestLabErrors(t *testing.T) {
	measured := false
	bad := &labBench{name: "bad", runs: 1, seconds: 1, measure: func(*lab.Lab) (lab.Result, error) {
		measured = true
		return nil, net.ErrClosed
	}}
	if _, err := runLabs(t, []*labBench{bad}, "--json", filepath.Join(t.TempDir(), "no", "file")); !errors.Is(err, os.ErrNotExist) || measured {
		t.Errorf("a file that cannot be: %v, measured %t", err, measured)
	}
	bad.check = func() error { return usagef("no") }
	if _, err := runLabs(t, []*labBench{bad}); !errors.As(err, new(usageError)) || measured {
		t.Errorf("flags: %v, measured %t", err, measured)
	}
	bad.check = nil
	if _, err := runLabs(t, []*labBench{bad}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("measuring: %v", err)
	}
}
