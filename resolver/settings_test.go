package resolver_test

import (
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
