package main

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/internal/responder"
	"github.com/dnsq/dnsq/ioevent"
)

// Every pair of backend and poller that works here is used where it is asked for, over UDP and TCP, and --stats says so.
func TestMechanisms(t *testing.T) {
	s, err := responder.Start(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for _, b := range backend.List() {
		for _, p := range ioevent.List() {
			if !p.Files && b.Name != "net" {
				continue // nothing to watch descriptors with
			}
			t.Run(fmt.Sprintf("poller=%s/backend=%s", p.Name, b.Name), func(t *testing.T) {
				switch {
				case require.Backend() != "" && require.Backend() != b.Name, require.Poller() != "" && require.Poller() != p.Name:
					t.Skip("another mechanism is forced")
				case b.Probe() != nil:
					require.Skip(t, "%v", b.Probe())
				case p.Probe() != nil:
					require.Skip(t, "%v", p.Probe())
				}
				for _, transport := range []string{"+notcp", "+tcp"} {
					var out, errs strings.Builder
					e := nowhere()
					e.stdout, e.stderr = &out, &errs
					code := run(e, []string{"@" + s.Addr().String(), "--backend", b.Name, "--poller", p.Name, "--stats", transport, "+short", "www.example.com"})
					if code != exitOK || out.String() != "192.0.2.80\n" {
						t.Errorf("%s: exit code %d, %q", transport, code, out.String())
					}
					if used := fmt.Sprintf(";; backend: %s\n;; poller: %s\n;; queries: 1\n", b.Name, p.Name); !strings.HasPrefix(errs.String(), used) {
						t.Errorf("%s: want %q in\n%s", transport, used, errs.String())
					}
				}
			})
		}
	}
}
