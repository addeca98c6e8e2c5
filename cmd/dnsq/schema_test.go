package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/dnsq/dnsq/internal/golden"
)

// benchFile runs "bench" with args and returns its file, which it reads into to.
func benchFile(t *testing.T, to any, args ...string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bench.json")
	var errs bytes.Buffer
	e := nowhere()
	e.stderr = &errs
	if code := run(e, append([]string{"bench", args[0], "--json", file}, args[1:]...)); code != exitOK || errs.Len() > 0 {
		t.Fatalf("%q: exit code %d, %s", args, code, errs.String())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
	return text
}

// checkSchema compares the keys and types of a bench's JSON with those in testdata/schema/name.txt, which -update rewrites. Others read them.
func checkSchema(t *testing.T, name string, text []byte) {
	t.Helper()
	golden.Compare(t, filepath.Join("testdata", "schema", name+".txt"), golden.Schema(t, text), *update)
}
