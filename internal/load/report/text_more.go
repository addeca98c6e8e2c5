package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dnsq/dnsq/internal/load/result"
)

// more has the accounts that dnsperf does not keep, those of them that have something in them.
func (t *text) more(r *result.Result) {
	start := t.Len()
	account := func(name string, kinds []kind) {
		if there := some(kinds); len(there) > 0 {
			t.row(name, "%s", listed(there))
		}
	}
	if unsent := unsentKinds(&r.Unsent); total(unsent) > 0 {
		t.row("Planned", "%d", r.Planned)
		account("Not sent", unsent)
	}
	account("Lost by kind", lostKinds(&r.Lost))
	account("Stray answers", strayKinds(&r.Strays))
	if r.Truncated > 0 {
		t.row("Truncated", "%s", counted(r.Truncated, r.Completed))
	}
	if t.Len() > start {
		t.line("")
	}
}

// percentiles are the rows of a table of latencies.
func percentiles(l *result.Latency) []float64 {
	return []float64{l.P50, l.P75, l.P90, l.P95, l.P99, l.P999, l.P9999}
}

func percentileNames() []string { return strings.Fields("p50 p75 p90 p95 p99 p99.9 p99.99") }

func (t *text) latency(r *result.Result) {
	columns, names := latencies(r)
	if len(columns) == 0 {
		return
	}
	rows := [][]string{append([]string{"Percentiles (s):"}, names...)}
	for i, name := range percentileNames() {
		row := []string{"  " + name}
		for _, l := range columns {
			row = append(row, seconds(percentiles(l)[i]))
		}
		rows = append(rows, row)
	}
	t.table(rows)
}

// latencies are the distributions that are worth a column, and their names. That with timeouts is where there are any.
func latencies(r *result.Result) (columns []*result.Latency, names []string) {
	add := func(name string, l *result.Latency, there bool) {
		if there {
			columns, names = append(columns, l), append(names, name)
		}
	}
	add("response", &r.Response, r.Response.Count > 0)
	add("with timeouts", &r.ResponseTimeout, r.ResponseTimeout.Count > r.Response.Count)
	add("service", &r.Service, r.Service.Count > 0)
	return columns, names
}

// cost has what is about this machine.
func (t *text) cost(r *result.Result) {
	start := t.Len()
	spread := func(name string, l *result.Latency) {
		if l != nil && l.Count > 0 {
			t.row(name, "p50 %s, p99 %s, max %s", seconds(l.P50), seconds(l.P99), seconds(l.Max))
		}
	}
	spread("Pacing error (s)", &r.Pacing)
	spread("Receive queue (s)", r.Queued)
	spread("Late answers (s)", r.Late)
	if r.CPU > 0 {
		t.row("CPU a query (ns)", "%.0f (user %.0f, system %.0f)", r.CPU, r.UserCPU, r.SystemCPU)
	}
	if r.Syscalls > 0 {
		t.row("System calls a query", "%.3f", r.Syscalls)
	}
	if t.Len() > start {
		t.line("")
	}
}

// connections has dnsperf's words.
func (t *text) connections(r *result.Result) {
	c := r.Connections
	attempts := c.Made + c.Failed
	if attempts == 0 {
		return
	}
	t.line("Connection Statistics:\n")
	t.row("Connection attempts", "%d (%d successful, %.2f%%)", attempts, c.Made, percent(c.Made, attempts))
	t.row("Closed by the server", "%d", c.Closed)
	t.line("")
}

// parts has who and what the sums are made of, where there is more than one.
func (t *text) parts(r *result.Result) {
	if len(r.Types) > 0 {
		t.table(typeTable(r))
	}
	if len(r.Targets) > 1 {
		t.table(targetTable(r))
	}
	if len(r.Shards) > 1 {
		t.table(shardTable(r))
	}
}

// table writes rows in columns: the first to the left, the others to the right.
func (t *text) table(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		fmt.Fprintf(t, "  %-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(t, "  %*s", widths[i+1], cell)
		}
		t.line("")
	}
	t.line("")
}
