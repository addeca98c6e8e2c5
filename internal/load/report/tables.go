package report

import (
	"strconv"

	"github.com/dnsq/dnsq/internal/load/result"
)

func digits(n uint64) string { return strconv.FormatUint(n, 10) }

// typeTable has what became of the queries of each type, a column an rcode.
func typeTable(r *result.Result) [][]string {
	codes := rcodes(r.Types)
	head := []string{"Type", "sent"}
	for _, c := range codes {
		head = append(head, plain(c.Name))
	}
	rows := [][]string{append(head, "none")}
	for _, t := range r.Types {
		row, none := []string{plain(t.Type), digits(t.Sent)}, t.Sent
		for _, c := range codes {
			n := t.Rcodes[c.Name]
			row, none = append(row, digits(n)), none-min(n, none)
		}
		rows = append(rows, append(row, digits(none)))
	}
	return rows
}

// targetTable has each server's part.
func targetTable(r *result.Result) [][]string {
	rows := [][]string{{"Server", "sent", "completed", "p50", "p99", "p99.9", "max", "service p50", "p99"}}
	for _, t := range r.Targets {
		l, s := &t.Response, &t.Service
		rows = append(rows, []string{
			plain(t.Server), digits(t.Sent), digits(t.Completed), short(l.P50), short(l.P99), short(l.P999), short(l.Max), short(s.P50), short(s.P99),
		})
	}
	return rows
}

// shardTable has each shard's part.
func shardTable(r *result.Result) [][]string {
	rows := [][]string{{"Shard", "sent", "completed", "p50", "p99", "p99.9", "max"}}
	for i, s := range r.Shards {
		l := &s.Response
		rows = append(rows, []string{strconv.Itoa(i), digits(s.Sent), digits(s.Completed), short(l.P50), short(l.P99), short(l.P999), short(l.Max)})
	}
	return rows
}
