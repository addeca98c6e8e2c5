package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dnsq/dnsq/internal/realtest"
)

// names is how many queries the file has that both sides go through again and again; their names are of one length.
const names = 10_000

// field is where the load generators are measured.
type field struct {
	o     loadOptions
	t     tools
	names string // file
	knot  string // path of knotd
	zone  realtest.Zone
	facts facts
	logf  func(string, ...any)
}

// compareLoad measures "dnsq load" and its responder against others, and prints a table of the figures with their targets.
func compareLoad(o options, table, log io.Writer) error {
	f := &field{o: o.load, logf: logTo(log)}
	if err := f.prepare(o.programs); err != nil {
		return err
	}
	defer os.RemoveAll(f.t.dir)
	f.compare(table, o.runs)
	return nil
}

// compare measures every work for which there is what our side needs.
func (f *field) compare(table io.Writer, runs int) {
	rows := [][]string{heading()}
	for _, w := range works(f.o) {
		if missing := f.missing(w.ours); missing != "" {
			f.logf("left out: %s: no %s", w.name, missing)
			continue
		}
		ours, peers := f.measure(w, runs)
		rows = append(rows, w.rows(ours, peers)...)
	}
	printTable(table, rows, f.o.markdown)
	fmt.Fprintf(table, "\n%s; medians of %d runs of each\n", f.facts.text(), runs)
}

// prepare builds and finds the programs and writes what they are given.
func (f *field) prepare(list []program) (err error) {
	f.facts.load = loadAverage()
	if f.t, err = prepare(list, f.logf); err != nil {
		return err
	}
	f.find("dnsperf", "dnsperf")
	f.knot = f.find("knotd", "knot")
	f.names = filepath.Join(f.t.dir, "names")
	var queries, zone strings.Builder
	fmt.Fprint(&zone, "@ 60 SOA ns hostmaster 1 3600 600 86400 60\n@ 60 NS ns\nns 60 A 192.0.2.1\n")
	for i := range names {
		fmt.Fprintf(&queries, "h%07d.example.com. A\n", i)
		fmt.Fprintf(&zone, "h%07d 60 A 192.0.2.1\n", i)
	}
	if f.zone, err = realtest.ParseZone("example.com.", zone.String()); err == nil {
		err = os.WriteFile(f.names, []byte(queries.String()), 0o600)
	}
	if err != nil {
		os.RemoveAll(f.t.dir)
	}
	return err
}

// find returns the path of a program of the system, and says what is left out where it is not installed.
func (f *field) find(binary, pkg string) string {
	path, err := realtest.Look(binary, pkg)
	if err != nil {
		f.logf("left out: %v", err)
	}
	f.t.has[binary] = err == nil
	return path
}

// missing names a program that a side needs and that is not there.
func (f *field) missing(s side) string {
	for _, name := range []string{s.client, serverProgram(s.server)} {
		if !f.t.has[name] {
			return name
		}
	}
	return ""
}

// measure runs both sides in turn, the peer's where there is one.
func (f *field) measure(w work, runs int) (ours, peers []result) {
	run := func(s side, results []result) []result {
		if f.missing(s) != "" {
			return results
		}
		r, err := f.run(s, w.seconds)
		if err != nil {
			f.logf("failed: %s: %s: %v", w.name, s.label, err)
			return results
		}
		return append(results, r)
	}
	for range runs {
		ours, peers = run(w.ours, ours), run(w.peer, peers)
	}
	return ours, peers
}
