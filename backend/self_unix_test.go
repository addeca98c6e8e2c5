//go:build unix

package backend_test

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
)

// dialed is what came of the dial to a port where nobody listens: an error, or the address of somebody who does by now.
func dialed(b backend.Backend, at netip.AddrPort) (local netip.AddrPort, err error) {
	s, err := b.Dial(backend.Config{Remote: at})
	if err != nil {
		return netip.AddrPort{}, err
	}
	defer s.Close()
	var octet [1]byte
	for end := time.Now().Add(5 * time.Second); err == nil && !s.LocalAddr().IsValid() && time.Now().Before(end); {
		_, err = s.Read(octet[:])
	}
	return s.LocalAddr(), err
}

// TestNobodyIsEverConnected: in the range that outgoing connections take their ports from, a dial comes to be from the very port that it is to, once in
// some thousand times, and connects to itself. Each try is refused like the others.
func TestNobodyIsEverConnected(t *testing.T) {
	b, err := backend.Named("recvfrom")
	if err != nil {
		t.Fatal(err)
	}
	const tries = 100_000
	at := closedPort(t)
	itself := 0
	for i, end := 0, time.Now().Add(30*time.Second); i < tries && time.Now().Before(end); i++ {
		local, err := dialed(b, at)
		switch {
		case err == nil && local != at: // another process has taken the port
			at = closedPort(t)
		case !errors.Is(err, backend.ErrRefused):
			t.Fatalf("try %d to %v, from %v: %v, want %v", i, at, local, err, backend.ErrRefused)
		case err.Error() == "connect: the port was connected to itself":
			itself++
		}
	}
	t.Logf("%d of the connections were to themselves", itself)
}

// closedPort is a port that nobody listens on, in the range for outgoing connections. It is even, as those are that Linux gives them first.
func closedPort(t *testing.T) netip.AddrPort {
	t.Helper()
	for range 100 {
		any, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		any.Close()
		at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(any.Addr().(*net.TCPAddr).Port)&^1)
		if ln, err := net.ListenTCP("tcp4", net.TCPAddrFromAddrPort(at)); err == nil {
			ln.Close()
			return at
		}
	}
	t.Fatal("no even port is free")
	return netip.AddrPort{}
}
