package realtest_test

import (
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/realtest"
	"github.com/dnsq/dnsq/resolver"
)

// TestDigSeesEverything wants each server to give dig every kind of outcome that
// a comparison is worth something for: two that never see a flag agree on it.
func TestDigSeesEverything(t *testing.T) {
	zones, anchor := zones(t)
	path := realtest.Find(t, "dig", "bind9-dnsutils")
	questions := realtest.Questions(zones, 1500)
	for _, s := range realtest.List() {
		t.Run(s.Name, func(t *testing.T) {
			server := realtest.Start(t, s, zones, anchor)
			dig := realtest.Dig{Path: path, Server: server.Addr, UDPSize: udpSize}
			outcomes, err := dig.Ask(t.Context(), questions)
			if err != nil {
				t.Fatal(err)
			}
			seen := kinds(outcomes)
			for kind, want := range map[string]bool{
				"rcode NOERROR": true, "rcode NXDOMAIN": true, "rcode SERVFAIL": s.Caching, "AA": !s.Caching, "TC": true, "AD": s.Caching,
				"answer": true, "authority": true, "additional": true, "500 records": true,
			} {
				if (seen[kind] > 0) != want {
					t.Errorf("%d outcomes of kind %s, want some: %t", seen[kind], kind, want)
				}
			}
		})
	}
}

// kinds counts what is special about outcomes.
func kinds(outcomes []realtest.Outcome) map[string]int {
	seen := make(map[string]int)
	for _, o := range outcomes {
		seen["rcode "+dns.RcodeToString[o.Rcode]]++
		for kind, is := range map[string]bool{"AA": o.AA, "TC": o.TC, "AD": o.AD, "500 records": len(o.Records) >= 500} {
			if is {
				seen[kind]++
			}
		}
		for _, r := range o.Records {
			seen[r.Section.String()]++
		}
	}
	return seen
}

// TestDigFailsWithoutAnAnswer asks a port that nobody listens on.
func TestDigFailsWithoutAnAnswer(t *testing.T) {
	path := realtest.Find(t, "dig", "bind9-dnsutils")
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := netip.MustParseAddrPort(pc.LocalAddr().String())
	pc.Close()
	q := realtest.Question{Question: resolver.Question{Name: "a.test.", Type: dns.TypeA}}
	_, err = realtest.Dig{Path: path, Server: addr, UDPSize: udpSize}.Ask(t.Context(), []realtest.Question{q})
	if err == nil || !strings.Contains(err.Error(), "dig") {
		t.Errorf("error %v, want one from dig", err)
	}
}
