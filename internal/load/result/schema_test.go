package result_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/load/result"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// The keys of the JSON and their types are those of testdata/load.txt, which -update rewrites. Others read them: no line goes or changes under one
// version of the schema.
func TestSchema(t *testing.T) {
	var b bytes.Buffer
	if err := result.Write(&b, filled()); err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(b.Bytes(), &value); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(slices.Sorted(maps.Keys(schemaOf("", value))), "\n") + "\n"
	path := filepath.Join("testdata", "load.txt")
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

// schemaOf returns a line for every leaf of a value, below its path.
func schemaOf(path string, value any) map[string]bool {
	lines := map[string]bool{}
	switch v := value.(type) {
	case map[string]any:
		for key, below := range v {
			maps.Copy(lines, schemaOf(strings.TrimPrefix(path+"."+key, "."), below))
		}
	case []any:
		for _, below := range v {
			maps.Copy(lines, schemaOf(path+"[]", below))
		}
	case float64:
		lines[path+" number"] = true
	case string:
		lines[path+" string"] = true
	case bool:
		lines[path+" bool"] = true
	default:
		lines[path+" nothing"] = true
	}
	return lines
}

// The package is the file's description: each field that has a name there has a comment.
func TestFieldsDescribed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "result.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && f.Tag != nil {
			fields++
			if f.Doc == nil && f.Comment == nil {
				t.Errorf("%s has no comment", f.Names[0].Name)
			}
		}
		return true
	})
	if fields < 100 {
		t.Errorf("%d fields found, fewer than there are", fields)
	}
}
