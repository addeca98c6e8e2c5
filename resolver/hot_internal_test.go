package resolver

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dnsq/dnsq/internal/wire"
)

// BenchmarkMatch is what a reply costs once its ID has found the query.
func BenchmarkMatch(b *testing.B) {
	query, err := wire.AppendQuery(nil, "h1000000.example.com", typeA, 1, wire.QueryOptions{RecursionDesired: true, UDPSize: 1232})
	if err != nil {
		b.Fatal(err)
	}
	end, _ := wire.QuestionEnd(query)
	reply := append([]byte(nil), query[:end]...)
	reply[2], reply[3], reply[7], reply[11] = 0x81, 0x80, 1, 0
	reply = append(reply, "\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\xc0\x00\x02\x01"...)
	other := append([]byte(nil), reply...)
	other[wire.HeaderLen+1] = 'x'
	p := &pending{q: &Query{}, msg: query}
	for _, tt := range []struct {
		name string
		msg  []byte
		want verdict
	}{{"accepted", reply, accepted}, {"forged", other, forged}} {
		b.Run("verdict="+tt.name, func(b *testing.B) {
			b.ReportAllocs()
			var info wire.Info
			for b.Loop() {
				if v := p.match(tt.msg, UDP, false, &info); v != tt.want {
					b.Fatalf("verdict %d, want %d", v, tt.want)
				}
			}
		})
	}
}

// BenchmarkIDTable is one query coming, being found and going, beside so many others on its socket.
func BenchmarkIDTable(b *testing.B) {
	for _, others := range []int{0, 63, 999, maxIDs - 1} {
		b.Run(fmt.Sprintf("pending=%d", others+1), func(b *testing.B) {
			ids := rand.New(rand.NewPCG(1, 2)).Perm(1 << 16)
			table := idTable{slab: new(slab)}
			p := table.slab.take()
			for _, id := range ids[:others] {
				table.put(uint16(id), p)
			}
			newest, oldest := others, 0
			b.ReportAllocs()
			for b.Loop() {
				table.put(uint16(ids[newest]), p)
				if table.get(uint16(ids[oldest])) != p {
					b.Fatalf("ID %d is not there", ids[oldest])
				}
				table.remove(uint16(ids[oldest]))
				newest, oldest = (newest+1)%len(ids), (oldest+1)%len(ids)
			}
		})
	}
}
