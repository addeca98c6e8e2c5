package dnstest

import (
	"bufio"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/require"
)

// processVar, set to a burst, makes Main a responder instead of the tests.
const processVar = "DNSQ_DNSTEST_HOLD"

// Main is the first line of TestMain in a package whose tests call Process. In
// the process that Process starts it is the responder and does not return;
// elsewhere it does nothing.
func Main() {
	v := os.Getenv(processVar)
	if v == "" {
		return
	}
	k, err := strconv.Atoi(v)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	h, err := openHolder()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(h.Addr())
	go h.serve(k)
	io.Copy(io.Discard, os.Stdin) // ends with the parent, whatever ends that
	os.Exit(0)
}

// Process is Hold in a process of its own, so that allocations counted in this
// one are the client's alone: it starts the test binary again, whose TestMain
// must call Main first. It skips where processes cannot be started.
func Process(tb testing.TB, k int) netip.AddrPort {
	tb.Helper()
	exe, err := os.Executable()
	if err != nil {
		require.Skip(tb, "the test cannot find its own binary: %v", err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), processVar+"="+strconv.Itoa(k))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatalf("dnstest: %v", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatalf("dnstest: %v", err)
	}
	if err := cmd.Start(); err != nil {
		require.Skip(tb, "the responder's process does not start: %v", err)
	}
	tb.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		tb.Fatalf("dnstest: the responder gave no address: %v", err)
	}
	addr, err := netip.ParseAddrPort(strings.TrimSpace(line))
	if err != nil {
		tb.Fatalf("dnstest: the responder said %q, not its address: does TestMain call dnstest.Main first?", line)
	}
	return addr
}
