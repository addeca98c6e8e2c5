package main

import (
	"flag"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/require"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// asProgram makes the test binary dnsq itself, for the tests that need a process.
const asProgram = "DNSQ_TEST_AS_PROGRAM"

// testProgram runs the test binary as dnsq.
func testProgram(args ...string) (*exec.Cmd, error) {
	cmd, err := ownProgram(args...)
	if err == nil {
		cmd.Env = append(os.Environ(), asProgram+"=1")
	}
	return cmd, err
}

func TestMain(m *testing.M) {
	dnstest.Main() // in the process that dnstest.Process starts
	if os.Getenv(asProgram) != "" {
		main()
	}
	require.NoLeaks(m)
}

// mask hides what differs from run to run.
func mask(s string) string {
	for _, m := range []struct{ from, to string }{
		{`id: \d+`, "id: N"},
		{`Query time: \d+ msec`, "Query time: N msec"},
		{`WHEN: \w{3} \w{3} \d\d \d\d:\d\d:\d\d \S+ \d{4}\n`, "WHEN: TIME\n"},
		{`([#:])\d{4,5}\b`, "${1}PORT"},
		{`<<>> dnsq \S+`, "<<>> dnsq VERSION"},
	} {
		s = regexp.MustCompile(m.from).ReplaceAllString(s, m.to)
	}
	return s
}
