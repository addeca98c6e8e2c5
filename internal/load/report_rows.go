package load

import (
	"slices"
	"strings"

	"github.com/dnsq/dnsq/internal/load/result"
)

// types are the rows of all shards, the most frequent type first.
func (r *run) types() []result.TypeRow {
	byKind := make(map[uint16]*result.TypeRow)
	for _, s := range r.shards {
		for i := range s.tally.rows.list {
			x := &s.tally.rows.list[i]
			if x.sent == 0 {
				continue
			}
			if byKind[x.kind] == nil {
				byKind[x.kind] = &result.TypeRow{Type: typeName(x.kind), Rcodes: make(map[string]uint64)}
			}
			x.addTo(byKind[x.kind])
		}
	}
	list := make([]result.TypeRow, 0, len(byKind))
	for _, x := range byKind {
		list = append(list, *x)
	}
	slices.SortFunc(list, func(a, b result.TypeRow) int {
		if a.Sent != b.Sent {
			return int(b.Sent) - int(a.Sent)
		}
		return strings.Compare(a.Type, b.Type)
	})
	return list
}

// targets are the servers' parts. Where there is one, it has all.
func (r *run) targets(total *result.Tick) (list []result.Target) {
	if len(r.plan.Servers) == 1 {
		return []result.Target{{
			Server: r.plan.Servers[0].Addr.String(), Sent: total.Sent, Completed: total.Completed,
			Response: result.LatencyOf(total.Response), Service: result.LatencyOf(total.Service),
		}}
	}
	for i, server := range r.plan.Servers {
		x := result.Target{Server: server.Addr.String()}
		response, service := result.NewHistogram(), result.NewHistogram()
		for _, s := range r.shards {
			t := &s.tally.targets[i]
			x.Sent += t.sent
			x.Completed += t.completed
			service.Merge(t.service)
			if t.response != nil {
				response.Merge(t.response)
			}
		}
		if !r.plan.Open() {
			response = service
		}
		x.Response, x.Service = result.LatencyOf(response), result.LatencyOf(service)
		list = append(list, x)
	}
	return list
}
