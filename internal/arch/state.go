package arch

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// allowedState are the package-level variables that are neither errors nor
// embedded files: tables that Go cannot declare as constants and nobody writes
// to, and what is computed once.
var allowedState = map[string]string{
	"internal/arch.allowedState":  "table",
	"internal/arch.apart":         "table",
	"internal/arch.entries":       "table",
	"internal/arch.inTests":       "table",
	"internal/arch.restricted":    "table",
	"internal/arch.rooms":         "table",
	"internal/arch.self":          "table",
	"internal/arch.errorName":     "compiled once",
	"internal/arch.suffix":        "compiled once",
	"internal/realtest.absent":    "table",
	"internal/responder.loadZone": "the embedded zone, parsed once",
	"internal/wire.formats":       "table",
	"ioevent.epoch":               "where the monotonic clock starts",
}

var errorName = regexp.MustCompile(`^(Err|err)[A-Z]`)

// state refuses init functions and package-level variables.
func state(f *File) []string {
	if f.test() {
		return nil
	}
	var problems []string
	for _, decl := range f.syntax.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				problems = append(problems, f.problem(d.Pos(), "init function"))
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				problems = append(problems, f.variables(d)...)
			}
		}
	}
	return problems
}

func (f *File) variables(d *ast.GenDecl) []string {
	var problems []string
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		if embedded(d.Doc) || embedded(spec.Doc) {
			continue
		}
		for _, name := range spec.Names {
			_, allowed := allowedState[f.room()+"."+name.Name]
			if name.Name != "_" && !errorName.MatchString(name.Name) && !allowed {
				problems = append(problems, f.problem(name.Pos(), "package-level variable %s", name.Name))
			}
		}
	}
	return problems
}

func embedded(doc *ast.CommentGroup) bool {
	return doc != nil && strings.HasPrefix(doc.List[len(doc.List)-1].Text, "//go:embed ")
}

// goos refuses to ask for the system at run time in code that all systems
// share: differences are twin files.
func goos(f *File) []string {
	if f.test() || f.platform() || strings.HasPrefix(f.Path, "cmd/") {
		return nil
	}
	var problems []string
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			x, ok := sel.X.(*ast.Ident)
			if ok && x.Name == "runtime" && (sel.Sel.Name == "GOOS" || sel.Sel.Name == "GOARCH") {
				problems = append(problems, f.problem(sel.Pos(), "runtime.%s in shared code", sel.Sel.Name))
			}
		}
		return true
	})
	return problems
}
