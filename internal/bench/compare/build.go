package main

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed clients
var sources embed.FS

// tools is a folder of programs that were built for one comparison.
type tools struct {
	dir string
	has map[string]bool
}

// program is something to build.
type program struct {
	name  string
	build []string // a command; its output goes to tools.dir
}

// programs is the table of what is built. Go's are packages of this module.
func programs() []program {
	c := func(name string, flags ...string) program {
		return program{name, append([]string{"cc", "-O2", "-o", name, filepath.Join("clients", name+".c")}, flags...)}
	}
	return []program{
		{"dnsq", []string{"go", "build", "-o", "dnsq", "github.com/dnsq/dnsq/cmd/dnsq"}},
		{"gopeers", []string{"go", "build", "-o", "gopeers", "github.com/dnsq/dnsq/internal/bench/gopeers"}},
		c("reflect"),
		c("floor"),
		c("udns", "-ludns"),
		c("cares", "-lcares"),
	}
}

// build builds a list in dir and tells logf what is left out and why. Only without dnsq there is nothing to compare.
func build(dir string, list []program, logf func(format string, args ...any)) (tools, error) {
	t := tools{dir, map[string]bool{}}
	if err := os.CopyFS(dir, sources); err != nil {
		return t, err
	}
	for _, p := range list {
		out, err := t.run(p)
		if err != nil {
			logf("left out: %s: %s: %v: %s", p.name, strings.Join(p.build, " "), err, firstLine(out))
		}
		t.has[p.name] = err == nil
	}
	if !t.has["dnsq"] {
		return t, fmt.Errorf("dnsq itself does not build")
	}
	return t, nil
}

// run builds p. The Go command finds this module by its own working directory, cc its sources by theirs.
func (t *tools) run(p program) ([]byte, error) {
	args := append([]string(nil), p.build...)
	for i, a := range args {
		if a == p.name && args[i-1] == "-o" {
			args[i] = t.path(p.name)
		}
	}
	cmd := exec.Command(args[0], args[1:]...)
	if args[0] == "cc" {
		cmd.Dir = t.dir
	}
	return cmd.CombinedOutput()
}

func (t *tools) path(name string) string { return filepath.Join(t.dir, name) }

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}
