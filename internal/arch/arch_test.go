package arch_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/dnsq/dnsq/internal/arch"
)

func TestHouse(t *testing.T) {
	root := os.DirFS("../..")
	files, err := arch.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("%d files found: is this the module's root?", len(files))
	}
	problems := arch.Check(files)
	atRoot, err := arch.Root(root)
	if err != nil {
		t.Error(err)
	}
	for _, p := range append(problems, atRoot...) {
		t.Error(p)
	}
}

// snippet is a source file and the one problem in it, "" for none.
type snippet struct{ path, src, want string }

func check(t *testing.T, snippets []snippet) {
	t.Helper()
	for _, s := range snippets {
		t.Run(fmt.Sprintf("%s %.30q", s.path, s.src), func(t *testing.T) {
			f, err := arch.Parse(s.path, s.src)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range arch.Check([]*arch.File{f}) {
				if !strings.Contains(p, "package comment") {
					got = append(got, p)
				}
			}
			switch {
			case s.want == "" && len(got) > 0:
				t.Errorf("got %q, want none", got)
			case s.want != "" && (len(got) != 1 || got[0] != s.want):
				t.Errorf("got %q, want %q", got, s.want)
			}
		})
	}
}

func TestImports(t *testing.T) {
	const own = "github.com/dnsq/dnsq/"
	var snippets []snippet
	add := func(path, imported string, ok bool) {
		s := snippet{path: path, src: "package p\n\nimport _ \"" + imported + "\"\n"}
		if !ok {
			dir := path[:strings.LastIndex(path, "/")]
			s.want = fmt.Sprintf("%s:3: %s may not import %s here", path, dir, imported)
		}
		snippets = append(snippets, s)
	}
	for _, line := range []struct {
		path string
		may  []string
		not  []string
	}{
		{"backend/x.go", []string{"net", "net/netip", "syscall", own + "internal/sys"}, []string{"unsafe", "golang.org/x/sys/unix",
			"golang.org/x/sys/windows", "golang.org/x/net/ipv4", own + "ioevent", own + "resolver", own + "internal/wire", "github.com/miekg/dns"}},
		{"backend/x_linux.go", []string{"unsafe", "golang.org/x/sys/unix"}, []string{"golang.org/x/net/ipv6", own + "ioevent"}},
		{"backend/packet_linux.go", []string{"golang.org/x/net/ipv4", "golang.org/x/net/ipv6"}, []string{"golang.org/x/net/bpf"}},
		{"backend/x_test.go", []string{own + "backend", own + "backend/backendtest", own + "internal/require", "syscall", "github.com/google/go-cmp/cmp"},
			[]string{own + "ioevent", own + "ioevent/ioeventtest", own + "resolver", "unsafe", "golang.org/x/sys/unix"}},
		{"backend/x_linux_test.go", []string{"golang.org/x/sys/unix"}, []string{"unsafe"}},
		{"ioevent/x.go", []string{"time", own + "internal/sys"}, []string{"unsafe", own + "backend", own + "resolver", own + "internal/wire"}},
		{"ioevent/x_windows.go", []string{"unsafe", "golang.org/x/sys/windows"}, []string{own + "backend"}},
		{"ioevent/x_test.go", []string{own + "ioevent/ioeventtest"}, []string{own + "backend/backendtest"}},
		{"internal/sys/x_linux.go", []string{"unsafe", "golang.org/x/sys/unix"}, []string{own + "backend", own + "ioevent", own + "internal/wire"}},
		{"internal/sys/x.go", []string{"syscall"}, []string{"unsafe", "golang.org/x/sys/unix"}},
		{"internal/wire/x.go", []string{"strings"}, []string{"github.com/miekg/dns", own + "internal/sys", own + "resolver", "unsafe", "C"}},
		{"internal/wire/x_linux.go", nil, []string{"unsafe", "syscall", "golang.org/x/sys/unix"}},
		{"internal/wire/x_test.go", []string{"github.com/miekg/dns", own + "internal/vectors"}, []string{own + "resolver"}},
		{"resolver/x.go", []string{own + "backend", own + "ioevent", own + "internal/wire", "github.com/miekg/dns", "golang.org/x/net/idna"},
			[]string{"syscall", "unsafe", "golang.org/x/sys/unix", own + "internal/sys", own + "internal/dnstest", own + "backend/backendtest",
				own + "cmd/dnsq", "github.com/spf13/cobra"}},
		{"resolver/x_linux.go", nil, []string{"syscall", "golang.org/x/sys/unix"}},
		{"resolver/x_test.go", []string{own + "resolver", own + "internal/dnstest", own + "internal/responder"}, []string{own + "cmd/dnsq"}},
		{"cmd/dnsq/x.go", []string{own + "resolver", own + "internal/responder", "github.com/spf13/cobra"},
			[]string{own + "internal/wire", own + "internal/sys", own + "internal/dnstest", "syscall", "github.com/stretchr/testify"}},
		{"cmd/dnsq/x_test.go", []string{"github.com/rogpeppe/go-internal/testscript"}, []string{"github.com/stretchr/testify"}},
		{"internal/responder/x.go", []string{"github.com/miekg/dns"}, []string{own + "resolver", own + "internal/dnstest"}},
		{"internal/dnstest/x_test.go", []string{own + "backend", own + "resolver"}, []string{"unsafe"}},
		{"internal/dnstest/x.go", []string{own + "internal/require"}, []string{own + "resolver", own + "internal/wire"}},
	} {
		for _, name := range line.may {
			add(line.path, name, true)
		}
		for _, name := range line.not {
			add(line.path, name, false)
		}
	}
	snippets = append(snippets,
		snippet{"backend/x.go", "//go:build unix\n\npackage p\n\nimport _ \"unsafe\"\n", ""},
		snippet{"backend/x.go", "package p\n\n//go:build unix\n\nimport _ \"unsafe\"\n", "backend/x.go:5: backend may not import unsafe here"},
		snippet{"internal/attic/x.go", "package p\n", "internal/attic/x.go:1: no line in the table of rooms for internal/attic"},
		snippet{"x.go", "package p\n", "x.go:1: no line in the table of rooms for ."})
	check(t, snippets)
}

func TestState(t *testing.T) {
	check(t, []snippet{
		{"resolver/x.go", "package p\n\nfunc init() {}\n", "resolver/x.go:3: init function"},
		{"resolver/x.go", "package p\n\ntype t int\n\nfunc (t) init() {}\n", ""},
		{"resolver/x.go", "package p\n\nvar count int\n", "resolver/x.go:3: package-level variable count"},
		{"resolver/x.go", "package p\n\nvar (\n\terrX = f()\n\ta, _ = 1, 2\n)\n", "resolver/x.go:5: package-level variable a"},
		{"resolver/x.go", "package p\n\nvar _ I = T{}\n\n// ErrX is an error.\nvar ErrX = f()\n", ""},
		{"resolver/x.go", "package p\n\nvar errand int\n", "resolver/x.go:3: package-level variable errand"},
		{"resolver/x.go", "package p\n\n// text is embedded.\n//\n//go:embed x.txt\nvar text string\n", ""},
		{"resolver/x.go", "package p\n\nfunc f() { var local int; _ = local }\n\nconst c = 1\n", ""},
		{"resolver/x_test.go", "package p\n\nvar update = flag.Bool()\n\nfunc init() {}\n", ""},
		{"ioevent/x.go", "package p\n\nvar epoch = f()\n", ""},
		{"backend/x.go", "package p\n\nvar epoch = f()\n", "backend/x.go:3: package-level variable epoch"},
	})
}

func TestGOOS(t *testing.T) {
	const src = "package p\n\nimport \"runtime\"\n\nfunc f() string { return runtime.GOOS }\n"
	check(t, []snippet{
		{"resolver/x.go", src, "resolver/x.go:5: runtime.GOOS in shared code"},
		{"resolver/x.go", strings.Replace(src, "GOOS", "GOARCH", 1), "resolver/x.go:5: runtime.GOARCH in shared code"},
		{"resolver/x.go", strings.Replace(src, "runtime.GOOS", "runtime.Version()", 1), ""},
		{"resolver/x_linux.go", src, ""},
		{"resolver/x_test.go", src, ""},
		{"cmd/dnsq/x.go", src, ""},
	})
}

func TestDocumented(t *testing.T) {
	missing := func(line int, name string) string {
		return fmt.Sprintf("resolver/x.go:%d: %s has no doc comment", line, name)
	}
	check(t, []snippet{
		{"resolver/x.go", "package p\n\nfunc F() {}\n", missing(3, "F")},
		{"resolver/x.go", "package p\n\n// F does.\nfunc F() {}\n\nfunc f() {}\n", ""},
		{"resolver/x.go", "package p\n\nfunc (*T) M() {}\n", missing(3, "M")},
		{"resolver/x.go", "package p\n\nfunc (T[K]) M() {}\n", missing(3, "M")},
		{"resolver/x.go", "package p\n\nfunc (*t) M() {}\n\nfunc (T) String() string { return \"\" }\n", ""},
		{"resolver/x.go", "package p\n\nfunc String() string { return \"\" }\n", missing(3, "String")},
		{"resolver/x.go", "package p\n\ntype T int\n", missing(3, "T")},
		{"resolver/x.go", "package p\n\nconst (\n\tA = 1 // one\n\tB = 2\n)\n", missing(5, "B")},
		{"resolver/x.go", "package p\n\n// Both.\nconst (\n\tA = 1\n\tB = 2\n)\n", ""},
		{"resolver/x.go", "package p\n\nvar ErrX = f()\n", missing(3, "ErrX")},
		{"resolver/x_test.go", "package p\n\nfunc F() {}\n", ""},
		{"cmd/dnsq/x.go", "package main\n\nfunc F() {}\n", ""},
	})
}

func TestSize(t *testing.T) {
	function := func(lines int) string { return "package p\n\nfunc f() {" + strings.Repeat("\n", lines-1) + "}\n" }
	iface := func(methods int) string {
		return "package p\n\ntype t interface {\n" + strings.Repeat("\tM()\n", methods) + "}\n"
	}
	check(t, []snippet{
		{"resolver/x.go", function(60), ""},
		{"resolver/x.go", function(61), "resolver/x.go:3: f has 61 lines, more than 60"},
		{"resolver/x_test.go", function(100), ""},
		{"resolver/x.go", iface(6), ""},
		{"resolver/x.go", iface(7), "resolver/x.go:3: interface of 7 methods, more than 6"},
		{"resolver/x.go", "package p" + strings.Repeat("\n", 300), ""},
		{"resolver/x.go", "package p" + strings.Repeat("\n", 301), "resolver/x.go:1: 301 lines, more than 300"},
	})
}

func TestPackageComment(t *testing.T) {
	for _, tt := range []struct {
		path, src string
		ok        bool
	}{
		{"resolver/doc.go", "// Package p is.\npackage p\n", true},
		{"resolver/x.go", "// Package p is.\npackage p\n", false},
		{"internal/wire/x.go", "// Package p is.\npackage p\n", true},
		{"internal/wire/x.go", "package p\n", false},
		{"internal/wire/x_test.go", "package p\n", true},
	} {
		f, err := arch.Parse(tt.path, tt.src)
		if err != nil {
			t.Fatal(err)
		}
		if got := arch.Check([]*arch.File{f}); (len(got) == 0) != tt.ok {
			t.Errorf("%s %q: %q, want none: %t", tt.path, tt.src, got, tt.ok)
		}
	}
}

func TestRoot(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	root := fstest.MapFS{
		".gitignore":     file("/dnsq\n*.prof\n"),
		"README.md":      file(strings.Repeat("\n", 201)),
		"dnsq":           file(""),
		"cpu.prof":       file(""),
		"resolver/x.go":  file(""),
		"main.go":        file(""),
		"pkg/attic/x.go": file(""),
	}
	got, err := arch.Root(root)
	want := "[main.go: not an entry of the root pkg: not an entry of the root README.md: 201 lines, more than 200]"
	if fmt.Sprint(got) != want || err != nil {
		t.Errorf("got %v, %v\nwant %v", got, err, want)
	}
}

func TestLoad(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	files, err := arch.Load(fstest.MapFS{
		"resolver/x_plan9.go": file("package p"), "testdata/x.go": file("no Go"), ".git/x.go": file("no Go"), "x.txt": file(""),
	})
	if err != nil || len(files) != 1 || files[0].Path != "resolver/x_plan9.go" {
		t.Errorf("files %v, %v; want resolver/x_plan9.go alone", files, err)
	}
	if _, err := arch.Load(fstest.MapFS{"x.go": file("no Go")}); err == nil {
		t.Error("a file that cannot be parsed is no error")
	}
}
