package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	got := strings.Join(slices.Sorted(maps.Keys(schemaOf("", value))), "\n") + "\n"
	path := filepath.Join("testdata", "schema", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// schemaOf returns a line for every leaf of a value, below its path. The entries of a list have to be alike, or each of their kinds is in it.
func schemaOf(path string, value any) map[string]bool {
	lines := map[string]bool{}
	switch v := value.(type) {
	case map[string]any:
		for key, below := range v {
			maps.Copy(lines, schemaOf(strings.TrimPrefix(path+"."+key, "."), below))
		}
	case []any:
		if len(v) == 0 {
			lines[path+" list"] = true
		}
		for _, below := range v {
			maps.Copy(lines, schemaOf(path+"[]", below))
		}
	case float64:
		lines[path+" number"] = true
	default:
		lines[path+" "+fmt.Sprintf("%T", v)] = true
	}
	return lines
}

func TestSchemaOf(t *testing.T) {
	var value any
	if err := json.Unmarshal([]byte(`{"a": [{"b": 1, "c": "x"}, {"b": 2.5, "c": null}], "d": [], "e": {"f": true}}`), &value); err != nil {
		t.Fatal(err)
	}
	want := []string{"a[].b number", "a[].c <nil>", "a[].c string", "d list", "e.f bool"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(schemaOf("", value)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
