package main

import (
	"bufio"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/require"
)

// The responder by itself says where it answers, answers there, and ends on an interrupt.
func TestReflect(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		require.Skip(t, "the test cannot find its own binary: %v", err)
	}
	cmd := exec.Command(exe, "reflect", "--listen", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		require.Skip(t, "processes cannot be started here: %v", err)
	}
	defer cmd.Process.Kill()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	text, ok := strings.CutPrefix(line, "answering on ")
	text, _, _ = strings.Cut(text, " ")
	addr, err := netip.ParseAddrPort(text)
	if !ok || err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	for _, transport := range []string{"+notcp", "+tcp"} {
		var got strings.Builder
		e := nowhere()
		e.stdout = &got
		if code := run(e, []string{"@" + addr.String(), transport, "+short", "www.example.com"}); code != exitOK || got.String() != "192.0.2.80\n" {
			t.Errorf("%s: exit code %d, %q", transport, code, got.String())
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		require.Skip(t, "no interrupts here: %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("after the interrupt: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("still running after the interrupt")
	}
}

// With --until-eof the responder ends with its standard input, as it must where the one who started it was killed.
func TestReflectUntilEOF(t *testing.T) {
	in, feed := io.Pipe()
	lines, out := io.Pipe()
	e := nowhere()
	e.stdin, e.stdout = in, out
	code := make(chan int, 1)
	go func() { code <- run(e, []string{"reflect", "--listen", "127.0.0.1:0", "--until-eof"}) }()
	if line, err := bufio.NewReader(lines).ReadString('\n'); err != nil || !strings.HasPrefix(line, "answering on 127.0.0.1:") {
		t.Fatalf("%q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }() // the totals
	defer out.Close()
	select {
	case got := <-code:
		t.Fatalf("it ended with %d before its input did", got)
	case <-time.After(50 * time.Millisecond):
	}
	feed.Close()
	select {
	case got := <-code:
		if got != exitOK {
			t.Errorf("exit code %d", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("still running behind the end of its input")
	}
}
