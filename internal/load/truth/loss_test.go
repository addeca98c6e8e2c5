package truth_test

import (
	"math"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load"
	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/internal/responder"
	"github.com/dnsq/dnsq/resolver"
)

// TestResponderLoss has this project's own responder lose a fifth, over each transport: what is lost is what it says it lost, to the packet.
func TestResponderLoss(t *testing.T) {
	s, err := responder.Open(responder.Config{Faults: responder.Faults{Loss: 0.2, Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, via := range []resolver.Transport{resolver.UDP, resolver.TCP} {
		before := s.Stats()
		r := run(t, t.Context(), load.Plan{
			Servers: []load.Server{{Addr: s.Addr()}}, Transport: via, Set: ask(t, "www.example.com A", "example.com MX"),
			Rate: load.At(5000), Count: 5000, Timeout: 2 * time.Second, Lag: 5 * time.Second,
		})
		st := s.Stats().Since(before)
		if r.Sent != 5000 || st.Received+st.DroppedKernel != r.Sent || st.Answered != r.Completed+r.Lost.Late {
			t.Errorf("%v: sent %d, completed %d, lost %+v; the responder: %+v", via, r.Sent, r.Completed, r.Lost, st)
		}
		if r.Lost != (result.Lost{Timeout: st.Lost + st.DroppedKernel, Late: r.Lost.Late}) || r.Verdict != result.Valid {
			t.Errorf("%v: lost %+v; the responder lost %d; %s %+v", via, r.Lost, st.Lost, r.Verdict, r.Reasons)
		}
		if share := float64(st.Lost) / float64(r.Sent); math.Abs(share-0.2) > 0.03 { // 5 standard deviations; the counts above are exact
			t.Errorf("%v: lost %v of all", via, share)
		}
	}
}
