package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// compare builds and runs everything and prints the table as it grows; what is left out and what fails goes to log.
func compare(o options, table, log io.Writer) error {
	logf := logTo(log)
	t, err := prepare(o.programs, logf)
	if err != nil {
		return err
	}
	defer os.RemoveAll(t.dir)
	list := slices.DeleteFunc(clients(o), func(c client) bool { return c.program != "" && !t.has[c.program] })
	printHead(table)
	for _, kind := range o.responders {
		for _, outstanding := range o.outstanding {
			list := slices.DeleteFunc(slices.Clone(list), func(c client) bool { return c.most > 0 && outstanding > c.most })
			results, err := against(&t, kind, outstanding, list, o, logf)
			if err != nil {
				return err
			}
			printRows(table, kind, outstanding, list, results)
		}
	}
	return nil
}

func logTo(w io.Writer) func(format string, args ...any) {
	return func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
}

// prepare builds programs in a folder that the caller removes, where there are processors for both sides.
func prepare(list []program, logf func(string, ...any)) (tools, error) {
	if _, err := exec.LookPath("taskset"); err != nil {
		logf("not pinned to processors: there is no taskset")
	} else if runtime.NumCPU() <= responderProcessor {
		return tools{}, fmt.Errorf("%d processor: the responder needs one of its own", runtime.NumCPU())
	}
	dir, err := os.MkdirTemp("", "dnsq-compare-")
	if err != nil {
		return tools{}, err
	}
	t, err := build(dir, list, logf)
	if err != nil {
		os.RemoveAll(dir)
	}
	return t, err
}

// against measures every client with one responder and one number of queries outstanding, and returns the results of each.
func against(t *tools, kind string, outstanding int, list []client, o options, logf func(string, ...any)) ([][]result, error) {
	responder, err := startResponder(t, kind, outstanding)
	if err != nil {
		return nil, err
	}
	defer responder.stop()
	results := make([][]result, len(list))
	for range o.runs {
		for i, c := range list {
			n := c.queries(o.queries, outstanding)
			r, err := runClient(c.args(t, responder.port, n, outstanding), n)
			if err != nil {
				logf("failed: %s: %v", c.label, err)
				continue
			}
			results[i] = append(results[i], r)
		}
	}
	return results, nil
}

func printHead(w io.Writer) {
	columns := []string{"responder", "outstanding", "client", "cpu_ns", "of floor mmsg", "of floor gso", "qps", "p50_us", "lost"}
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
}

// printRows prints a row for each client, with its CPU over that of each floor.
func printRows(w io.Writer, kind string, outstanding int, list []client, results [][]result) {
	floor := map[string]float64{}
	for i, c := range list {
		floor[c.label] = median(results[i], "cpu_ns")
	}
	of := func(cpu float64, label string) string {
		f, ok := floor[label]
		if !ok {
			return "–"
		}
		return cell(cpu/f, 2)
	}
	for i, c := range list {
		cpu := floor[c.label]
		fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %s | %s | %s | %s |\n", kind, outstanding, c.label, cell(cpu, 0),
			of(cpu, "floor mmsg"), of(cpu, "floor gso"), cell(median(results[i], "qps"), 0), cell(median(results[i], "p50_us"), 1),
			cell(median(results[i], "lost"), 0))
	}
}

func cell(x float64, decimals int) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

// median is that of the values of one key, NaN where no run printed it.
func median(runs []result, key string) float64 {
	var values []float64
	for _, r := range runs {
		if x, ok := r[key]; ok {
			values = append(values, x)
		}
	}
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
