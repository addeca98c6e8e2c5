package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	loadresult "github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/internal/machine"
)

// printTable prints rows, the first of which is the heading.
func printTable(w io.Writer, rows [][]string, markdown bool) {
	if !markdown {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, row := range rows {
			fmt.Fprintln(t, strings.Join(row, "\t"))
		}
		t.Flush()
		return
	}
	for i, row := range rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(row)))
		}
	}
}

// facts are what figures depend on.
type facts struct {
	host    loadresult.Host // as the last run of "dnsq load" saw it
	dnsperf string          // its version
	load    string          // average of a minute, before: what others do to the figures
}

// loadAverage is how many threads wanted a processor in the last minute, "" where the system does not tell: proc_loadavg(5).
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}

func (f *facts) text() string {
	text := []string{f.host.CPU, f.host.System, "clock " + f.host.Clock}
	if call := machine.ClockCall(); call > 0 {
		text = append(text, fmt.Sprintf("a system call %v", call.Round(time.Nanosecond)))
	}
	if f.dnsperf != "" {
		text = append(text, "dnsperf "+f.dnsperf)
	}
	if f.load != "" {
		text = append(text, "load average before "+f.load)
	}
	return strings.Join(text, ", ")
}
