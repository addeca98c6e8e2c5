package load

import (
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/load/result"
)

// TestDropsAreNotTheServers has all answers come at once to a receive queue that holds a few: what is missing was dropped here, and the result says so.
func TestDropsAreNotTheServers(t *testing.T) {
	s := dnstest.Start(t, dnstest.Gather(200, dnstest.InOrder, dnstest.A("192.0.2.1")))
	r := real(t, &Plan{Outstanding: 200, Count: 200, Clients: 1, RecvBuffer: 2048, Timeout: time.Second, Backend: plain(t)}, s.Addr())
	if r.Lost.ClientDrop == 0 || r.Lost.ClientDrop != 200-r.Completed || r.Verdict != result.Invalid || !hasCode(r, result.CodeClientDrop) {
		t.Errorf("completed %d, lost %+v, %s %+v", r.Completed, r.Lost, r.Verdict, r.Reasons)
	}
}

// plain is a backend for which each datagram counts by itself.
func plain(t *testing.T) backend.Backend {
	b, err := backend.Named("recvmmsg")
	if err != nil {
		t.Fatal(err)
	}
	return b
}
