package resolver_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// TestMechanismsFit: a poller that watches no descriptors gets a backend that has none, and no other.
func TestMechanismsFit(t *testing.T) {
	portable, err := ioevent.Named("chan")
	if err != nil {
		t.Fatal(err)
	}
	r, err := resolver.New(resolver.Config{Poller: portable})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Poller() != "chan" || r.Backend() != "net" {
		t.Errorf("poller %s got backend %s, want chan and net", r.Poller(), r.Backend())
	}
	for _, b := range backend.List() {
		if !b.Descriptors {
			continue
		}
		_, err := resolver.New(resolver.Config{Poller: portable, Backend: b})
		if err == nil || !strings.Contains(err.Error(), b.Name) || !strings.Contains(err.Error(), "take backend net") {
			t.Errorf("poller chan with backend %s: %v, want an error that names both and what would be right", b.Name, err)
		}
	}
}

// TestLatency: what is wanted picks the poller, and contradicts none that is given.
func TestLatency(t *testing.T) {
	for _, m := range ioevent.List() {
		if m.Probe() != nil {
			continue
		}
		first := slices.IndexFunc(ioevent.List(), func(o ioevent.Mechanism) bool { return o.Latency == m.Latency && o.Probe() == nil })
		for _, tt := range []struct {
			cfg    resolver.Config
			poller string
		}{
			{resolver.Config{Latency: m.Latency}, ioevent.List()[first].Name},
			{resolver.Config{Poller: m}, m.Name},
			{resolver.Config{Poller: m, Latency: m.Latency}, m.Name},
		} {
			r, err := resolver.New(tt.cfg)
			if err != nil {
				t.Errorf("latency %v, poller %q: %v", tt.cfg.Latency, tt.cfg.Poller.Name, err)
				continue
			}
			if r.Poller() != tt.poller {
				t.Errorf("latency %v, poller %q: took %s, want %s", tt.cfg.Latency, tt.cfg.Poller.Name, r.Poller(), tt.poller)
			}
			r.Close()
		}
		for _, other := range []ioevent.Latency{ioevent.Busy, ioevent.Spin, 7} {
			if other == m.Latency {
				continue
			}
			_, err := resolver.New(resolver.Config{Poller: m, Latency: other})
			if err == nil || !strings.Contains(err.Error(), m.Name) || !strings.Contains(err.Error(), other.String()) {
				t.Errorf("latency %v with poller %s: %v, want an error that names both", other, m.Name, err)
			}
		}
	}
	if _, err := resolver.New(resolver.Config{Latency: 7}); err == nil || !strings.Contains(err.Error(), "Latency(7)") {
		t.Errorf("latency 7: %v, want an error that names it", err)
	}
}
