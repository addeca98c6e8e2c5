package netpair_test

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/netpair"
	"github.com/dnsq/dnsq/internal/require"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// namespace names that of the calling thread.
func namespace(t *testing.T) string {
	t.Helper()
	name, err := os.Readlink("/proc/thread-self/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// TestRun sends a datagram from one end to the other, and comes back to where it was.
func TestRun(t *testing.T) {
	before := namespace(t)
	mine := errors.New("mine")
	err := netpair.Run(true, func(far *netpair.Far) error {
		near, other := namespace(t), ""
		var pc net.PacketConn
		var err error
		far.Do(func() {
			other = namespace(t)
			pc, err = net.ListenPacket("udp", netpair.FarAddress+":0")
		})
		if err != nil {
			return err
		}
		defer pc.Close()
		if near == before || other == before || near == other {
			t.Errorf("namespaces %s, %s and %s", before, near, other)
		}
		c, err := net.Dial("udp", pc.LocalAddr().String())
		if err != nil {
			return err
		}
		defer c.Close()
		if _, err := c.Write([]byte("x")); err != nil {
			return err
		}
		_, from, err := pc.ReadFrom(make([]byte, 8))
		if err != nil {
			return err
		}
		if got := from.(*net.UDPAddr).AddrPort().Addr(); got != netip.MustParseAddr(netpair.NearAddress) {
			t.Errorf("it came from %v", got)
		}
		return mine
	})
	if err != nil && strings.HasPrefix(err.Error(), "no ") {
		require.Skip(t, "%v", err)
	}
	if !errors.Is(err, mine) {
		t.Errorf("%v, want what the function returned", err)
	}
	if got := namespace(t); got != before {
		t.Errorf("now in %s, not in %s", got, before)
	}
}

// A pair that cannot be made says which command failed.
func TestRunWithoutPrograms(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := netpair.Run(true, func(*netpair.Far) error {
		t.Error("called")
		return nil
	})
	if err == nil || !strings.HasPrefix(err.Error(), "no ") {
		t.Errorf("%v", err)
	}
}
