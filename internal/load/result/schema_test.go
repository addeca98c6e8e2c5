package result_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/dnsq/dnsq/internal/golden"
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
	golden.Compare(t, filepath.Join("testdata", "load.txt"), golden.Schema(t, b.Bytes()), *update)
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
