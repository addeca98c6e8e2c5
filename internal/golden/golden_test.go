package golden_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/dnsq/dnsq/internal/golden"
	"github.com/dnsq/dnsq/internal/require"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// A failure is what a test would have failed with.
type failure struct {
	testing.TB
	text []string
}

func (f *failure) Helper() {}

func (f *failure) Errorf(format string, args ...any) { f.text = append(f.text, format) }

func TestCompare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "want.txt")
	golden.Compare(t, path, "a\n", true)
	golden.Compare(t, path, "a\n", false)
	f := &failure{TB: t}
	golden.Compare(f, path, "b\n", false)
	if text, err := os.ReadFile(path); len(f.text) != 1 || err != nil || string(text) != "a\n" {
		t.Errorf("failures %q, the file %q, %v", f.text, text, err)
	}
}

func TestSchema(t *testing.T) {
	got := golden.Schema(t, []byte(`{"a": [{"b": 1, "c": "x"}, {"b": 2.5, "c": null}], "d": [], "e": {"f": true}}`))
	if want := "a[].b number\na[].c <nil>\na[].c string\nd list\ne.f bool\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
