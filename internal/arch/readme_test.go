package arch_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/require"
)

const root = "../.."

func TestMain(m *testing.M) { require.NoLeaks(m) }

// The address that README's example asks and that its responder listens at.
const readmeServer = "127.0.0.1:5300"

// TestReadme runs every command that README shows as a block of its own, and its
// program against its responder.
func TestReadme(t *testing.T) {
	readme := read(t, "README.md")
	commands := readmeCommands(readme)
	if len(commands) < 8 {
		t.Fatalf("%d commands found in README, fewer than it has: %q", len(commands), commands)
	}
	for _, c := range commands {
		t.Run(c, func(t *testing.T) {
			switch c {
			case "go test ./...":
				if !strings.Contains(read(t, ".ci/run"), "go test -race -timeout 20m ./...") {
					t.Error(".ci/run does not run it")
				}
			case "go run ./cmd/dnsq reflect":
				testReadmeProgram(t, readmeProgram(t, readme))
			default:
				if out := run(t, append(strings.Fields(c), shorter(c)...)...); out == "" {
					t.Error("it prints nothing")
				}
			}
		})
	}
}

// shorter are flags for a command that measures, perhaps for minutes: what it prints is to be seen here, not its figures.
func shorter(command string) []string {
	switch {
	case strings.HasPrefix(command, "go run ./internal/bench/compare --load"):
		return []string{"--runs", "1", "--seconds", "0.1"}
	case strings.HasPrefix(command, "go run ./internal/bench/compare"):
		return []string{"--runs", "1", "--queries", "1000", "--outstanding", "64"}
	case strings.HasPrefix(command, "go run ./cmd/dnsq load"):
		return []string{"--lag", "5s"} // on a busy machine what is late makes the result invalid
	case strings.HasPrefix(command, "go run ./cmd/dnsq bench all"):
		return []string{"--runs", "3", "--seconds", "1"}
	}
	return nil
}

// testReadmeProgram runs README's program against the responder, on a port that
// is free.
func testReadmeProgram(t *testing.T, program string) {
	dnsq := filepath.Join(t.TempDir(), "dnsq.exe")
	run(t, "go", "build", "-o", dnsq, "./cmd/dnsq")
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, dnsq, "reflect", "--listen", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cancel()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	addr := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(line)
	if addr == "" || !strings.Contains(program, readmeServer) {
		t.Fatalf("the responder says %q, the program does not ask %s", line, readmeServer)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(strings.Replace(program, readmeServer, addr, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := run(t, "go", "run", file), "[192.0.2.80 2001:db8::80] <nil>\n"; got != want {
		t.Errorf("README's program prints %q, want %q", got, want)
	}
}

func TestReadmeDefaultServer(t *testing.T) {
	if help := run(t, "go", "run", "./cmd/dnsq", "reflect", "--help"); !strings.Contains(help, readmeServer) {
		t.Errorf("dnsq reflect does not listen on %s by default:\n%s", readmeServer, help)
	}
}

// The map of README shows each room.
func TestReadmeMap(t *testing.T) {
	readme := read(t, "README.md")
	for _, pattern := range []string{"backend", "ioevent", "resolver", "cmd/*", "internal/*", "backend/*test", "ioevent/*test"} {
		dirs, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(dirs) == 0 {
			t.Fatalf("%s: %v, %v", pattern, dirs, err)
		}
		for _, dir := range dirs {
			name := strings.TrimPrefix(filepath.ToSlash(dir), root+"/")
			if !strings.Contains(readme, "`"+name+"/`") && !strings.Contains(readme, "`"+name+"`") {
				t.Errorf("README does not show %s", name)
			}
		}
	}
}

// readmeCommands are the lines of the indented blocks outside the program.
func readmeCommands(readme string) (commands []string) {
	fenced := false
	for line := range strings.Lines(readme) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if c, ok := strings.CutPrefix(line, "    "); ok && !fenced {
			commands = append(commands, strings.TrimSpace(c))
		}
	}
	return commands
}

func readmeProgram(t *testing.T, readme string) string {
	t.Helper()
	_, rest, _ := strings.Cut(readme, "```go\n")
	program, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("README has no program")
	}
	return program
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run runs a command at the module's root and returns what it prints on standard
// output. It fails if the command does.
func run(t *testing.T, words ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = root
	// What forces the tests must not force the commands, which name their own.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "DNSQ_")
	})
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(words, " "), err, out, &stderr)
	}
	return string(out)
}
