package main

import (
	"net/netip"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/internal/responder"
)

// What is printed is what dig prints, but for the banner, the ID, the times and the port.
func TestAgainstDig(t *testing.T) {
	dig, err := exec.LookPath("dig")
	if err != nil {
		require.Skip(t, "dig is not installed")
	}
	s, err := responder.Start(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for _, args := range []string{
		"www.example.com", "example.com ANY", "octets.example.com TXT", "txt.example.com TXT", "empty.example.com TXT", "long.example.com TXT",
		"host.example.com SSHFP", "_443._tcp.example.com TLSA", "key.example.com DNSKEY", "key.example.com DS", "sig.example.com RRSIG +dnssec",
		"sig.example.com NSEC", "sip.example.com NAPTR", "sip.example.com HINFO", "_sip._udp.example.com SRV", "www.example.com HTTPS",
		"opaque.example.com TYPE65432", "opaque.example.com TYPE65433", "late.example.com", `a\.b\032c\@d\$e\039f.example.com`,
		"-x 192.0.2.81", "-x 192.0.2.82", "-x 2001:db8::80", "-x 192.0.2", "big.example.com", "big.example.com +ignore", "huge.example.com +bufsize=4096",
		"loop.example.com", "dangling.example.com", "abroad.example.com", "nobody.example.com +norecurse +cdflag", "x.y.any.test AAAA +noadflag",
		"example.com SOA +tcp", "example.com +noedns", "CH version.bind TXT", "example.com CLASS3", "example.net", "",
		"txt.example.com TXT +short", "chain.example.com +short", "key.example.com DNSKEY +short", "big.example.com +short",
	} {
		t.Run(args, func(t *testing.T) {
			fields := append([]string{"@127.0.0.1", "-p", strconv.Itoa(int(s.Addr().Port()))}, strings.Fields(args)...)
			want, err := exec.Command(dig, append([]string{"-r", "+nocookie"}, fields...)...).Output()
			if err != nil {
				t.Fatalf("dig: %v", err)
			}
			var got strings.Builder
			e := nowhere()
			e.stdout = &got
			if code := run(e, fields); code != exitOK {
				t.Fatalf("exit code %d", code)
			}
			if diff := cmp.Diff(unbannered(string(want)), unbannered(got.String())); diff != "" {
				t.Errorf("(-dig +dnsq):\n%s", diff)
			}
		})
	}
}

// unbannered masks text and leaves the banner out.
func unbannered(text string) []string {
	var lines []string
	for line := range strings.Lines(mask(text)) {
		if !strings.HasPrefix(line, "; <<>>") {
			lines = append(lines, line)
		}
	}
	return lines
}
