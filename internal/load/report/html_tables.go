package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

// spaced is short with a space before the unit, as is right in running text.
func spaced(us float64) string {
	s := short(us)
	i := strings.IndexAny(s, "µms")
	if i < 0 {
		return s
	}
	return s[:i] + "\u202f" + s[i:]
}

// tablesOf are those that have something in them.
func tablesOf(r *result.Result) (tables []table) {
	add := func(title, says string, rows [][]string) {
		if len(rows) > 1 {
			tables = append(tables, table{title, says, rows[0], rows[1:], rows[0][len(rows[0])-1] == ""})
		}
	}
	add("Latency", "Percentiles and the extremes. Pacing is how late this machine's sends were.", latencyTable(r))
	add("Answers by type", "What became of the queries of each type.", typeTable(r))
	add("Accounts", "Every planned query is in one of these.", accountTable(r))
	add("Stray answers", "Messages that answered no outstanding query.", kindTable(some(strayKinds(&r.Strays))))
	if len(r.Targets) > 1 {
		add("Servers", "Response time, and service time last.", targetTable(r))
	}
	if len(r.Shards) > 1 {
		add("Shards", "Response time by thread: one sick thread must not pass as a server's tail.", shardTable(r))
	}
	return tables
}

func latencyTable(r *result.Result) [][]string {
	columns, names := latencies(r)
	for _, more := range []struct {
		name string
		l    *result.Latency
	}{{"pacing", &r.Pacing}, {"receive queue", r.Queued}, {"late answers", r.Late}} {
		if more.l != nil && more.l.Count > 0 {
			columns, names = append(columns, more.l), append(names, more.name)
		}
	}
	if len(columns) == 0 {
		return nil
	}
	rows := [][]string{append([]string{""}, names...)}
	row := func(name string, of func(*result.Latency) string) {
		line := []string{name}
		for _, l := range columns {
			line = append(line, of(l))
		}
		rows = append(rows, line)
	}
	row("count", func(l *result.Latency) string { return grouped(l.Count) })
	row("min", func(l *result.Latency) string { return spaced(l.Min) })
	row("mean", func(l *result.Latency) string { return spaced(l.Mean) })
	for i, name := range percentileNames() {
		row(name, func(l *result.Latency) string { return spaced(percentiles(l)[i]) })
	}
	row("max", func(l *result.Latency) string { return spaced(l.Max) })
	return rows
}

func kindTable(kinds []kind) [][]string {
	rows := [][]string{{"", "count", ""}}
	for _, k := range kinds {
		rows = append(rows, []string{k.Name, grouped(k.Count), k.Means})
	}
	return rows
}

// accountTable shows where every query went.
func accountTable(r *result.Result) [][]string {
	kinds := []kind{{"planned", r.Planned, ""}}
	for _, k := range some(unsentKinds(&r.Unsent)) {
		kinds = append(kinds, kind{"not sent: " + k.Name, k.Count, k.Means})
	}
	kinds = append(kinds, kind{"sent", r.Sent, ""}, kind{"completed", r.Completed, "answered in time"})
	if r.Truncated > 0 {
		kinds = append(kinds, kind{"truncated", r.Truncated, "of the completed"})
	}
	for _, k := range some(lostKinds(&r.Lost)) {
		kinds = append(kinds, kind{"lost: " + k.Name, k.Count, k.Means})
	}
	if r.Interrupted > 0 {
		kinds = append(kinds, kind{"interrupted", r.Interrupted, "outstanding when the run was cut short"})
	}
	return kindTable(kinds)
}

func planFacts(r *result.Result) facts {
	p := &r.Plan
	f := facts{Title: "Plan"}
	f.add("Servers", strings.Join(p.Servers, ", "))
	f.add("Load", load(p))
	f.add("Queries", p.Queries)
	f.add("Ends after", until(p))
	f.add("Ran", fmt.Sprintf("%.3f s from %s, %g s of warm-up before", r.Seconds, r.Start.UTC().Format(time.RFC3339), p.Warmup))
	f.add("Timeout", fmt.Sprintf("%g s", p.Timeout))
	f.add("Outstanding at most", strconv.Itoa(p.Outstanding))
	f.add("Clients and threads", fmt.Sprintf("%d and %d", p.Clients, p.Threads))
	f.add("Backend and poller", strings.Trim(p.Backend+", "+p.Poller, ", "))
	f.add("Receive buffer", grouped(uint64(max(p.RecvBuffer, 0)))+" octets")
	f.add("Sends in trains", yes(p.Trains))
	f.add("Kernel's timestamps", yes(p.KernelStamps))
	f.add("Seed", digits(r.Seed))
	if c := r.Connections; c.Made+c.Failed > 0 {
		f.add("Connections", fmt.Sprintf("%s made, %s failed, %s closed by the server", grouped(c.Made), grouped(c.Failed), grouped(c.Closed)))
	}
	return f
}

func hostFacts(r *result.Result) facts {
	h := &r.Host
	f := facts{Title: "Host"}
	f.add("System", h.System)
	f.add("CPU", h.CPU)
	f.add("CPUs, and those used", fmt.Sprintf("%d, %s", h.CPUs, h.Affinity))
	f.add("Clock", h.Clock)
	f.add("Receive buffer's limit", grouped(uint64(max(h.RecvLimit, 0)))+" octets")
	f.add("CPU a query", fmt.Sprintf("%.0f ns (user %.0f, system %.0f)", r.CPU, r.UserCPU, r.SystemCPU))
	f.add("System calls a query", fmt.Sprintf("%.3f", r.Syscalls))
	f.add("dnsq", r.Version)
	f.add("Go", h.Go)
	return f
}

func (f *facts) add(name, value string) {
	if value != "" {
		f.Rows = append(f.Rows, [2]string{name, value})
	}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
