package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/require"
)

// TestRefused has strace(1) refuse system calls, as older or stricter systems do: probe says what is missing, and a query goes by the next
// backend.
func TestRefused(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		require.Skip(t, "%v", err)
	}
	if require.Backend() != "" {
		t.Skip("another mechanism is forced")
	}
	for _, b := range backend.List() {
		if err := b.Probe(); err != nil {
			require.Skip(t, "%v", err)
		}
	}
	for _, tt := range []struct {
		call, errno string
		says        []string
		used        string
	}{
		{"getsockopt", "ENOPROTOOPT", []string{"gso: no: backend gso: UDP_SEGMENT is not available (needs kernel 4.18): protocol not available",
			"recvmmsg: ok, preferred", "uring: ok"}, "recvmmsg"},
		{"recvmmsg", "ENOSYS", []string{"gso: no: ", "recvmmsg: no: backend recvmmsg: recvmmsg(2) is not available (needs kernel 2.6.33): " +
			"function not implemented", "recvfrom: ok, preferred"}, "recvfrom"},
		{"io_uring_setup", "ENOSYS", []string{"gso: ok, preferred",
			"uring: no: backend uring: io_uring_setup(2) is not available (needs kernel 5.1): io_uring_setup: function not implemented"}, "gso"},
		{"io_uring_setup", "EPERM", []string{"gso: ok, preferred",
			"uring: no: backend uring: io_uring(7) is not available: io_uring_setup: operation not permitted ("}, "gso"},
	} {
		t.Run(tt.call+" "+tt.errno, func(t *testing.T) {
			run := func(args ...string) string {
				cmd := exec.Command(strace, append([]string{"-f", "-qq", "-o", os.DevNull, "-e", "trace=" + tt.call,
					"-e", "inject=" + tt.call + ":error=" + tt.errno, os.Args[0]}, args...)...)
				cmd.Env = append(os.Environ(), asProgram+"=1")
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", cmd, err, out)
				}
				return string(out)
			}
			said := strings.Join(strings.Fields(run("probe")), " ")
			for _, want := range tt.says {
				if !strings.Contains(said, "backend "+want) {
					t.Errorf("want %q in\n%s", want, said)
				}
			}
			if out, want := run("@self", "--stats", "www.example.com"), ";; backend: "+tt.used+"\n"; !strings.Contains(out, want) || !strings.Contains(out, "NOERROR") {
				t.Errorf("want an answer and %q in\n%s", want, out)
			}
		})
	}
}
