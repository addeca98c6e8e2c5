package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// File is one Go file of the module, whatever system it is built for.
type File struct {
	// Path is relative to the module's root, with slashes.
	Path   string
	syntax *ast.File
	fset   *token.FileSet
	lines  int
}

// Parse reads one file.
func Parse(name, src string) (*File, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &File{Path: name, syntax: syntax, fset: fset, lines: strings.Count(src, "\n")}, nil
}

// Load reads every Go file below root, the module's, except in testdata and
// directories that start with a dot.
func Load(root fs.FS) ([]*File, error) {
	var files []*File
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (base == "testdata" || strings.HasPrefix(base, ".")):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f, err := Parse(name, string(src))
		files = append(files, f)
		return err
	})
	return files, err
}

// room is the directory of the file.
func (f *File) room() string { return path.Dir(f.Path) }

func (f *File) test() bool { return strings.HasSuffix(f.Path, "_test.go") }

// suffix finds the system or architecture in a file's name that keeps it from
// being built elsewhere.
var suffix = regexp.MustCompile(`_(aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows` +
	`|386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm)(_test)?\.go$`)

// platform reports whether the file is built for some systems only.
func (f *File) platform() bool {
	if suffix.MatchString(f.Path) {
		return true
	}
	return slices.ContainsFunc(f.syntax.Comments, func(g *ast.CommentGroup) bool {
		return g.Pos() < f.syntax.Package && strings.HasPrefix(g.List[0].Text, "//go:build ")
	})
}

// problem says what is wrong at a place of the file.
func (f *File) problem(at token.Pos, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: %s", f.Path, f.fset.Position(at).Line, fmt.Sprintf(format, args...))
}

// Check applies every rule to every file and returns what they find.
func Check(files []*File) []string {
	var problems []string
	for _, f := range files {
		for _, rule := range []func(*File) []string{imports, goos, state, documented, size} {
			problems = append(problems, rule(f)...)
		}
	}
	return append(problems, described(files)...)
}
