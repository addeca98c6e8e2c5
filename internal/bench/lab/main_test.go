package lab_test

import (
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"testing"

	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/internal/responder"
)

// asResponder makes the test binary what a Lab starts.
const asResponder = "DNSQ_LAB_AS"

func TestMain(m *testing.M) {
	switch os.Getenv(asResponder) {
	case "":
		require.NoLeaks(m)
	case "reflect":
		s, err := responder.Start(netip.MustParseAddrPort(os.Args[3]))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("answering on %s over UDP and TCP\n", s.Addr())
		io.Copy(io.Discard, os.Stdin)
	case "mute":
	case "babble":
		fmt.Println("no address here")
		io.Copy(io.Discard, os.Stdin)
	}
}

// program runs the test binary in a role.
func program(role string) func(args ...string) (*exec.Cmd, error) {
	return func(args ...string) (*exec.Cmd, error) {
		path, err := os.Executable()
		if err != nil {
			return nil, err
		}
		cmd := exec.Command(path, args...)
		cmd.Env = append(os.Environ(), asResponder+"="+role)
		return cmd, nil
	}
}
