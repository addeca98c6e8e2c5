package main

import (
	"flag"
	"os"
	"testing"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/require"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// asProgram makes the test binary dnsq itself, for the tests that need a process.
const asProgram = "DNSQ_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	dnstest.Main() // in the process that dnstest.Process starts
	if os.Getenv(asProgram) != "" {
		main()
	}
	require.NoLeaks(m)
}
