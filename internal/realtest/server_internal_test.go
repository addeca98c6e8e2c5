package realtest

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/require"
)

// small returns zones of a few records.
func small(t *testing.T) ([]Zone, *dns.DS) {
	t.Helper()
	zones, anchor, err := Zones(strings.NewReader("com\n*.ck\n"))
	if err != nil {
		t.Fatal(err)
	}
	return zones, anchor
}

// TestServerStops wants neither a listener nor a file left of a server.
func TestServerStops(t *testing.T) {
	zones, anchor := small(t)
	for _, s := range List() {
		t.Run(s.Name, func(t *testing.T) {
			server, err := start(s, Find(t, s.Binary, s.Package), zones, anchor)
			if err != nil {
				t.Fatal(err)
			}
			server.Stop()
			if conn, err := net.Dial("tcp", server.Addr.String()); err == nil {
				conn.Close()
				t.Error("it still listens")
			}
			if _, err := os.Stat(server.dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("its directory is still there: %v", err)
			}
		})
	}
}

// TestLook wants the binary and its package named where it is not there.
func TestLook(t *testing.T) {
	if path, err := Look("no-such-server", "its-package"); path != "" || err == nil || err.Error() != "no-such-server is not installed (Debian package its-package)" {
		t.Errorf("%q, %v", path, err)
	}
	own, err := os.Executable()
	if err != nil {
		require.Skip(t, "the test cannot find its own binary: %v", err)
	}
	if path, err := Look(own, "x"); path != own || err != nil {
		t.Errorf("%q, %v", path, err)
	}
}

// TestServerThatEnds wants a process that ends at once told from one that is
// slow, and what it said.
func TestServerThatEnds(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		require.Skip(t, "there is no shell that could end at once")
	}
	zones, anchor := small(t)
	s := Software{Name: "nsd", Args: []string{"-c", "echo cannot bind; exit 3"}}
	_, err = start(s, shell, zones, anchor)
	if !errors.Is(err, errEnded) || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "cannot bind") {
		t.Errorf("error %v, want one that tells how it ended and why", err)
	}
}

// TestConfigurations wants the address, the zones' files and the trust anchor in place.
func TestConfigurations(t *testing.T) {
	zones, anchor := small(t)
	for _, s := range List() {
		dir := t.TempDir()
		files, err := writeZones(dir, zones)
		if err != nil {
			t.Fatal(err)
		}
		addr, err := freePort()
		if err != nil {
			t.Fatal(err)
		}
		path, err := s.configure(settings{Dir: dir, Addr: addr, Anchor: anchor.String(), Zones: files})
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wants := []string{"127.0.0.1@" + strings.TrimPrefix(addr.String(), "127.0.0.1:"), files[0].File, files[1].File, SignedOrigin}
		if s.Caching {
			wants = append(wants, anchor.String())
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s's configuration lacks %q:\n%s", s.Name, want, text)
			}
		}
	}
}
