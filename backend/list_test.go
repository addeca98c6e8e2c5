package backend_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/backend"
)

func TestNamed(t *testing.T) {
	best, err := backend.Named("")
	if err != nil || best.Probe() != nil {
		t.Fatalf("Named(\"\") = %q, %v, want one that works", best.Name, err)
	}
	for _, b := range backend.List() {
		got, err := backend.Named(b.Name)
		if want := b.Probe(); want == nil && (got.Name != b.Name || err != nil) || want != nil && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Named(%q) = %q, %v, want it or %v", b.Name, got.Name, err, want)
		}
		if _, err := backend.Named("pigeon"); !strings.Contains(err.Error(), b.Name) || !strings.Contains(err.Error(), "pigeon") {
			t.Errorf("%q names neither what was asked for nor %s", err, b.Name)
		}
	}
	backend.List()[0].Name = "changed"
	if name := backend.List()[0].Name; name == "changed" {
		t.Error("List returns the table itself")
	}
}

func TestUnsupportedError(t *testing.T) {
	err := error(&backend.UnsupportedError{Backend: "recvmmsg", Feature: "sendmmsg(2)", MinKernel: "3.0", Err: fs.ErrPermission})
	if !errors.Is(err, errors.ErrUnsupported) || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v matches neither errors.ErrUnsupported nor what it wraps", err)
	}
	if got, want := err.Error(), "backend recvmmsg: sendmmsg(2) is not available (needs kernel 3.0): permission denied"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
