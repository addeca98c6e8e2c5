package main

import (
	"net/netip"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func addrs(list ...string) []netip.Addr {
	var out []netip.Addr
	for _, s := range list {
		out = append(out, netip.MustParseAddr(s))
	}
	return out
}

func TestParseResolvConf(t *testing.T) {
	tests := []struct {
		name, text string
		want       []netip.Addr
	}{
		{"empty", "", nil},
		{"order", "nameserver 192.0.2.2\nnameserver 192.0.2.1\n", addrs("192.0.2.2", "192.0.2.1")},
		{"no last newline", "nameserver 192.0.2.2", addrs("192.0.2.2")},
		{"CRLF", "nameserver 192.0.2.2\r\nnameserver 192.0.2.3\r\n", addrs("192.0.2.2", "192.0.2.3")},
		{"tabs", "\tnameserver\t192.0.2.2\t# office\n", addrs("192.0.2.2")},
		{"scope", "nameserver fe80::1%lo0\nnameserver 2001:db8::1", addrs("fe80::1%lo0", "2001:db8::1")},
		{"mapped", "nameserver ::ffff:192.0.2.2", addrs("192.0.2.2")},
		{"this host", "nameserver 0.0.0.0\nnameserver ::", addrs("127.0.0.1", "::1")},
		{"twice", "nameserver 192.0.2.2\nnameserver 192.0.2.2", addrs("192.0.2.2")},
		{"a port is no address", "nameserver 192.0.2.2:5353\nnameserver 192.0.2.3 5353", addrs("192.0.2.3")},
		{"comments", "# nameserver 192.0.2.1\n;nameserver 192.0.2.2\n#\n", nil},
		{"other lines", "search example.com\noptions ndots:2\nnameservers 192.0.2.1\nNAMESERVER 192.0.2.1\nnameserver\n", nil},
		{"host names", "nameserver localhost\nnameserver 192.0.2.256\n", nil},
		{"more than three", strings.Repeat("nameserver 192.0.2.9\n", 5) + "nameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver 192.0.2.3",
			addrs("192.0.2.9", "192.0.2.1", "192.0.2.2", "192.0.2.3")},
		{"an endless file", strings.Repeat("# 16 octets....\n", maxResolvConf/16-2) + "nameserver 192.0.2.1\n\n\n\n\n\n\n\n\n\n\n\nnameserver 192.0.2.2\n", addrs("192.0.2.1")},
		{"an endless line", "nameserver 192.0.2.1\n" + strings.Repeat("x", 70<<10) + "\nnameserver 192.0.2.2", addrs("192.0.2.1")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, parseResolvConf(strings.NewReader(tt.text)), cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSystemServersWithoutFile(t *testing.T) {
	got := systemServers(filepath.Join(t.TempDir(), "resolv.conf"))
	if len(got) != 2 || got[0] != netip.MustParseAddr("127.0.0.1") || got[1] != netip.MustParseAddr("::1") {
		t.Errorf("%v", got)
	}
}

func FuzzParseResolvConf(f *testing.F) {
	f.Add("nameserver 127.0.0.1\nsearch .\n")
	f.Add("nameserver fe80::1%\x00\r\nnameserver")
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[netip.Addr]bool{}
		for _, a := range parseResolvConf(strings.NewReader(text)) {
			if !a.IsValid() || a.IsUnspecified() || a.Is4In6() || seen[a] {
				t.Errorf("%q: %v", text, a)
			}
			seen[a] = true
		}
	})
}
