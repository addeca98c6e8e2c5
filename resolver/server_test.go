package resolver_test

import (
	"strings"
	"testing"

	"github.com/dnsq/dnsq/resolver"
)

func TestParseServer(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.1":              "192.0.2.1:53",
		"192.0.2.1:5300":         "192.0.2.1:5300",
		"192.0.2.1#5300":         "192.0.2.1:5300",
		"2001:db8::1":            "[2001:db8::1]:53",
		"2001:db8::1#5300":       "[2001:db8::1]:5300",
		"[2001:db8::1]":          "[2001:db8::1]:53",
		"[2001:db8::1]:5300":     "[2001:db8::1]:5300",
		"[2001:db8::1]#5300":     "[2001:db8::1]:5300",
		"fe80::1%eth0":           "[fe80::1%eth0]:53",
		"[fe80::1%eth0]:5300":    "[fe80::1%eth0]:5300",
		"::ffff:192.0.2.1":       "192.0.2.1:53",
		"[::ffff:192.0.2.1]:530": "192.0.2.1:530",
	} {
		got, err := resolver.ParseServer(in)
		if err != nil || got.String() != want {
			t.Errorf("ParseServer(%q) = %v, %v; want %s", in, got, err, want)
		}
	}
}

func TestParseServerNamesWhatIsWrong(t *testing.T) {
	for in, want := range map[string]string{
		"":                  "not an IP address",
		"ns1.example.":      "not an IP address",
		"192.0.2.256":       "not an IP address",
		"192.0.2.4 X":       "not an IP address",
		"2001:db8:00001::f": "not an IP address",
		"192.0.2.1:":        "no port",
		"192.0.2.1#":        "no port",
		"192.0.2.1:0":       "the port",
		"192.0.2.1:65536":   "the port",
		"192.0.2.1:domain":  "the port",
		"[2001:db8::1":      "no closing bracket",
		"[2001:db8::1]53":   "no port",
		"[2001:db8::1]:":    "no port",
		"[2001:db8::1]:5:5": "the port",
		"a\nb":              "not an IP address",
	} {
		got, err := resolver.ParseServer(in)
		if err == nil {
			t.Errorf("ParseServer(%q) = %v, want an error", in, got)
			continue
		}
		text := err.Error()
		if !strings.Contains(text, want) || !strings.Contains(text, "write ip, ip:port") || strings.Contains(text, "\n") {
			t.Errorf("ParseServer(%q) says %q, want one line with %q and the right form", in, text, want)
		}
	}
}
