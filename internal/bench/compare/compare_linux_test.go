package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/require"
)

// rows runs a small comparison and returns what it printed of each client, and its complaints.
func rows(t *testing.T, o options) (cells map[string][]string, log string) {
	t.Helper()
	var table, complaints strings.Builder
	if err := compare(o, &table, &complaints); err != nil {
		t.Fatalf("%v\n%s", err, complaints.String())
	}
	cells = map[string][]string{}
	for line := range strings.Lines(table.String()) {
		row := strings.Split(strings.TrimSpace(line), " | ")
		if len(row) > 2 {
			cells[row[2]] = row
		}
	}
	return cells, complaints.String()
}

func small(t *testing.T) options {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds programs")
	}
	o, err := parse([]string{"--runs", "1", "--queries", "400", "--outstanding", "8", "--responder", "plain"})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// Everything that builds here is in the table with figures, and loses nothing; what does not is named.
func TestCompare(t *testing.T) {
	o := small(t)
	if _, err := exec.LookPath("cc"); err != nil {
		require.Skip(t, "there is no C compiler: %v", err)
	}
	o.responders, o.outstanding = []string{"plain", "gso", "held"}, []int{200}
	cells, log := rows(t, o)
	for _, c := range clients(o) {
		row := cells[c.label]
		switch {
		case row == nil && strings.Contains(log, "left out: "+c.program):
			require.Skip(t, "%s", log)
		case row == nil:
			t.Errorf("no row for %s, and nothing says why:\n%s", c.label, log)
		case row[3] == "–" || row[3] == "0" || row[4] == "–" || row[6] == "–" || row[8] != "0 |":
			t.Errorf("%q:\n%s", row, log)
		}
	}
}

// What does not build is left out with its reason, and dnsq answers where there is no other responder.
func TestCompareLeavesOut(t *testing.T) {
	o := small(t)
	for i, p := range o.programs {
		if p.build[0] == "cc" {
			o.programs[i].build = append([]string{"no-such-compiler"}, p.build[1:]...)
		}
	}
	cells, log := rows(t, o)
	for _, name := range []string{"reflect", "floor", "udns", "cares"} {
		if !strings.Contains(log, "left out: "+name+": no-such-compiler") {
			t.Errorf("nothing says that %s is left out:\n%s", name, log)
		}
	}
	for label, want := range map[string]bool{"floor gso": false, "udns": false, "c-ares": false, "dnsq engine": true, "dnsq exchange": true, "miekg/dns": true} {
		if (cells[label] != nil) != want {
			t.Errorf("%s is in the table: %t, want %t\n%s", label, !want, want, log)
		}
	}
}

// A client that fails is named and does not stop the others.
func TestCompareFailure(t *testing.T) {
	o := small(t)
	o.programs = slices.DeleteFunc(o.programs, func(p program) bool { return p.name != "dnsq" })
	o.apis, o.with = []string{"engine"}, []client{{label: "mine", command: []string{"false"}, share: 1}}
	cells, log := rows(t, o)
	if !strings.Contains(log, "failed: mine: ") || cells["dnsq engine"] == nil || cells["mine"] == nil || cells["mine"][3] != "–" {
		t.Errorf("%q\n%s", cells["mine"], log)
	}
}
