package arch

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// maxReadme is the longest README, in lines.
const maxReadme = 200

// entries are what the root may show, dot entries apart.
var entries = []string{
	"LICENSE", "README.md", "backend", "cmd", "go.mod", "go.sum", "internal", "ioevent", "resolver", "testdata",
}

// Root checks what the module's root shows, files that .gitignore names apart.
func Root(root fs.FS) ([]string, error) {
	list, err := fs.ReadDir(root, ".")
	if err != nil {
		return nil, err
	}
	ignore, err := fs.ReadFile(root, ".gitignore")
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, e := range list {
		if name := e.Name(); !strings.HasPrefix(name, ".") && !slices.Contains(entries, name) && !ignored(string(ignore), name) {
			problems = append(problems, fmt.Sprintf("%s: not an entry of the root", name))
		}
	}
	readme, err := fs.ReadFile(root, "README.md")
	if err != nil {
		return nil, err
	}
	if lines := strings.Count(string(readme), "\n"); lines > maxReadme {
		problems = append(problems, fmt.Sprintf("README.md: %d lines, more than %d", lines, maxReadme))
	}
	return problems, nil
}

// ignored reports whether a line of a .gitignore matches the root's entry.
func ignored(ignore, name string) bool {
	for line := range strings.Lines(ignore) {
		if ok, _ := path.Match(strings.TrimPrefix(strings.TrimSpace(line), "/"), name); ok {
			return true
		}
	}
	return false
}
