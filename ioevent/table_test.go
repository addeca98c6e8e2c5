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
			if m.Latency != ioevent.Sleep {
				t.Errorf("the best that works is %s, which does not sleep", m.Name)
			}
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

func TestForLatency(t *testing.T) {
	for l, name := range map[ioevent.Latency]string{ioevent.Sleep: "sleep", ioevent.Busy: "busy", ioevent.Spin: "spin", 7: "Latency(7)"} {
		if got := l.String(); got != name {
			t.Errorf("Latency %d is called %q, want %q", l, got, name)
		}
		var want string // the first that works
		for _, m := range ioevent.List() {
			if m.Latency == l && m.Probe() == nil {
				want = m.Name
				break
			}
		}
		m, err := ioevent.ForLatency(l)
		if want != "" {
			if err != nil || m.Name != want || m.Latency != l {
				t.Errorf("ForLatency(%v) = %q, %v; want %q", l, m.Name, err, want)
			}
		} else if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), name) {
			t.Errorf("ForLatency(%v) = %q, %v; want an error that names it and matches errors.ErrUnsupported", l, m.Name, err)
		}
	}
}
