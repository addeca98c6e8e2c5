package arch

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
)

// The size bar.
const (
	maxFile      = 300 // lines
	maxFunction  = 60  // lines
	maxInterface = 6   // methods
)

// size refuses what is too big to be read at once.
func size(f *File) []string {
	if f.test() {
		return nil
	}
	var problems []string
	if f.lines > maxFile {
		problems = append(problems, f.problem(f.syntax.Package, "%d lines, more than %d", f.lines, maxFile))
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if lines := f.span(n); lines > maxFunction {
				problems = append(problems, f.problem(n.Pos(), "%s has %d lines, more than %d", n.Name.Name, lines, maxFunction))
			}
		case *ast.InterfaceType:
			if methods := n.Methods.NumFields(); methods > maxInterface {
				problems = append(problems, f.problem(n.Pos(), "interface of %d methods, more than %d", methods, maxInterface))
			}
		}
		return true
	})
	return problems
}

func (f *File) span(n ast.Node) int {
	return f.fset.Position(n.End()).Line - f.fset.Position(n.Pos()).Line + 1
}

// self are methods whose name says all: those of the interfaces that everybody
// knows.
var self = []string{"Error", "String", "Unwrap"}

// documented wants a doc comment at every exported name.
func documented(f *File) []string {
	if f.test() || f.syntax.Name.Name == "main" {
		return nil
	}
	var problems []string
	for _, decl := range f.syntax.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d.Recv) && (d.Recv == nil || !slices.Contains(self, d.Name.Name)) {
				problems = append(problems, f.problem(d.Pos(), "%s has no doc comment", d.Name.Name))
			}
		case *ast.GenDecl:
			problems = append(problems, f.undocumented(d)...)
		}
	}
	return problems
}

// exportedReceiver reports whether a method, or a function, can be called from
// another package.
func exportedReceiver(recv *ast.FieldList) bool {
	if recv == nil {
		return true
	}
	t := recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

// undocumented checks types, constants and variables. A comment above the group
// or at the end of the line will do.
func (f *File) undocumented(d *ast.GenDecl) []string {
	var problems []string
	want := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		given := func(g *ast.CommentGroup) bool { return g != nil }
		if name.IsExported() && !slices.ContainsFunc(docs, given) {
			problems = append(problems, f.problem(name.Pos(), "%s has no doc comment", name.Name))
		}
	}
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			want(s.Name, d.Doc, s.Doc, s.Comment)
		case *ast.ValueSpec:
			for _, name := range s.Names {
				want(name, d.Doc, s.Doc, s.Comment)
			}
		}
	}
	return problems
}

// described wants a package comment in every package, in doc.go for those that
// others may import.
func described(files []*File) []string {
	first := make(map[string]*File)
	has := make(map[string]bool)
	var order []string
	for _, f := range files {
		dir := f.room()
		if f.test() {
			continue
		}
		if first[dir] == nil {
			first[dir] = f
			order = append(order, dir)
		}
		public := path.Dir(dir) == "." // backend, ioevent, resolver
		if f.syntax.Doc != nil && (!public || path.Base(f.Path) == "doc.go") {
			has[dir] = true
		}
	}
	var problems []string
	for _, dir := range order {
		if !has[dir] {
			problems = append(problems, first[dir].problem(token.NoPos, "package %s has no package comment (a public one: in doc.go)", dir))
		}
	}
	return problems
}
