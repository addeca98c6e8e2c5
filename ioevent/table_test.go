package ioevent_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/ioevent"
)

func TestNamed(t *testing.T) {
	var first string
	for _, m := range ioevent.List() {
		err := m.Probe()
		if err != nil && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Probe of %s = %v, which does not match errors.ErrUnsupported", m.Name, err)
		}
		if err == nil && first == "" {
			first = m.Name
		}
		got, namedErr := ioevent.Named(m.Name)
		if err == nil && (namedErr != nil || got.Name != m.Name || got.Edge != m.Edge) {
			t.Errorf("Named(%q) = %q, %v", m.Name, got.Name, namedErr)
		}
	}
	if m, err := ioevent.Named(""); err != nil || m.Name != first {
		t.Errorf(`Named("") = %q, %v; want the first that works, %q`, m.Name, err, first)
	}
	_, err := ioevent.Named("pool")
	if err == nil || !strings.Contains(err.Error(), `"pool"`) || !strings.Contains(err.Error(), "chan") {
		t.Errorf("Named(pool) = %v, want an error that names it and what there is", err)
	}
}

func TestListIsACopy(t *testing.T) {
	ioevent.List()[0].Name = "changed"
	if ioevent.List()[0].Name == "changed" {
		t.Error("a caller can change the table")
	}
}
