package main

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/resolver"
)

// nowhere is an environment that holds nothing.
func nowhere() *environment {
	return &environment{strings.NewReader(""), io.Discard, io.Discard, func(string) string { return "" }, "/nonexistent/resolv.conf", testProgram, []string{"dnsq"}}
}

// parsed is what a table row says about a request.
type parsed struct {
	Name       string
	Type       string
	Class      string
	Servers    []string
	Port       uint16
	Flags      resolver.Flags
	UDPSize    uint16
	Timeout    time.Duration
	Tries      int
	Short      bool
	Warnings   int
	Backend    string
	Poller     string
	Batch      string
	Family     int
	Stats      bool
	Incomplete bool // not the name and type that are asked, but the program's help or version
}

// defaults are those of a request for name and type.
func defaults(name, typ string, edit func(*parsed)) parsed {
	p := parsed{Name: name, Type: typ, Class: "IN", Port: 53, Flags: resolver.AuthenticData}
	if edit != nil {
		edit(&p)
	}
	return p
}

func TestParse(t *testing.T) {
	const ad = resolver.AuthenticData
	tests := []struct {
		args string
		want parsed
	}{
		{"", defaults(".", "NS", nil)},
		{"mx", defaults(".", "NS", func(p *parsed) { p.Warnings = 1 })},
		{"-t mx", defaults(".", "NS", nil)},
		{"x", defaults("x", "A", nil)},
		{"x mx", defaults("x", "MX", nil)},
		{"MX x", defaults("x", "MX", nil)},
		{"x Mx cH", defaults("x", "MX", func(p *parsed) { p.Class = "CH" })},
		{"ch x", defaults("x", "A", func(p *parsed) { p.Class = "CH" })},
		{"chaos txt x", defaults("x", "TXT", func(p *parsed) { p.Class = "CH" })},
		{"x any", defaults("x", "ANY", func(p *parsed) { p.Flags |= resolver.OverTCP })},
		{"x any +notcp", defaults("x", "ANY", nil)},
		{"x any any", defaults("x", "ANY", func(p *parsed) { p.Flags |= resolver.OverTCP; p.Warnings = 1 })}, // the type, twice
		{"x type65535 class65535", defaults("x", "TYPE65535", func(p *parsed) { p.Class = "CLASS65535" })},
		{"x TYPE0", defaults("x", "TYPE0", nil)},
		{"TYPE65536 mx", defaults("TYPE65536", "MX", nil)}, // no type, so a name
		{"TYPE+1", defaults("TYPE+1", "A", nil)},
		{"reserved", defaults("reserved", "A", nil)},
		{"nsn1.example", defaults("nsn1.example", "A", nil)},
		{"a.txt ns", defaults("a.txt", "NS", nil)},
		{"-", defaults("-", "A", nil)},
		{"-q mx", defaults("mx", "A", nil)},
		{"-q -x -t ns", defaults("-x", "NS", nil)},
		{"-t txt mx", defaults("mx", "TXT", nil)},
		{"-c ch in", defaults("in", "A", func(p *parsed) { p.Class = "CH" })},
		{"-c ch mx in", defaults("in", "MX", func(p *parsed) { p.Class = "CH" })},
		{"x -t a -t mx", defaults("x", "MX", func(p *parsed) { p.Warnings = 1 })},
		{"-x 10.1", defaults("1.10.in-addr.arpa.", "PTR", nil)},
		{"ns -x 10.1", defaults("1.10.in-addr.arpa.", "NS", nil)},
		{"-x 10.1 ns", defaults("1.10.in-addr.arpa.", "NS", nil)},
		{"-x ::1", defaults("1."+strings.Repeat("0.", 31)+"ip6.arpa.", "PTR", nil)},
		{"-x fe80::%eth0", defaults(strings.Repeat("0.", 28)+"0.8.e.f.ip6.arpa.", "PTR", nil)},
		{"-x ::ffff:192.0.2.1", defaults("1.2.0.192.in-addr.arpa.", "PTR", nil)},
		{"@a x @b -p 5300", defaults("x", "A", func(p *parsed) { p.Servers = []string{"a", "b"}; p.Port = 5300 })},
		{"x +tcp", defaults("x", "A", func(p *parsed) { p.Flags = ad | resolver.OverTCP })},
		{"x +time=3 +tries=7", defaults("x", "A", func(p *parsed) { p.Timeout = 3 * time.Second; p.Tries = 7 })},
		{"x +timeout=0 +tries=0", defaults("x", "A", func(p *parsed) { p.Timeout = time.Second; p.Tries = 1 })},
		{"x +tim=4", defaults("x", "A", func(p *parsed) { p.Timeout = 4 * time.Second })},
		{"x +bufsize=0", defaults("x", "A", func(p *parsed) { p.UDPSize = 512 })},
		{"x +bufsize=65535 +ignore", defaults("x", "A", func(p *parsed) { p.UDPSize = 65535; p.Flags |= resolver.IgnoreTruncation })},
		{"x +short +NoShort +SHORT", defaults("x", "A", func(p *parsed) { p.Short = true })},
		{"x +noedns +noad +norec +cd", defaults("x", "A", func(p *parsed) {
			p.Flags = resolver.NoEDNS | resolver.NoRecurse | resolver.CheckingDisabled
		})},
		{"x -4 --stats --backend=net --poller poll", defaults("x", "A", func(p *parsed) {
			p.Family, p.Stats, p.Backend, p.Poller = 4, true, "net", "poll"
		})},
		{"-f - +tcp", defaults(".", "NS", func(p *parsed) { p.Batch = "-"; p.Flags |= resolver.OverTCP })},
		{"x -h +bogus", defaults("x", "A", func(p *parsed) { p.Incomplete = true })},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			r := newRequest(nowhere())
			if err := r.parse(strings.Fields(tt.args)); err != nil {
				t.Fatal(err)
			}
			if err := r.finish(); err != nil {
				t.Fatal(err)
			}
			got := parsed{
				r.name, typeName(r.typ), className(r.class), r.servers, r.port, r.flags, r.udpSize, r.timeout, r.tries,
				r.short, len(r.warnings), r.backend, r.poller, r.batch, r.family, r.stats, r.show != "",
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The lines of a batch do not see each other's servers.
func TestParseOnTop(t *testing.T) {
	base := newRequest(nowhere())
	if err := base.parse([]string{"@a", "+tcp"}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args string
		want []string
	}{{"@b x", []string{"b"}}, {"x", []string{"a"}}, {"@c @d x", []string{"c", "d"}}} {
		r := base
		if err := r.parse(strings.Fields(tt.args)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, r.servers); diff != "" || r.flags&resolver.OverTCP == 0 {
			t.Errorf("%s: flags %v, servers (-want +got):\n%s", tt.args, r.flags, diff)
		}
	}
}

// Whatever the arguments, parsing ends in a request or in one printable line, which names the argument.
func FuzzParse(f *testing.F) {
	for _, args := range []string{
		"@127.0.0.1 -p 53 www.example.com MX IN +tcp +short", "-x 1.2.3 +bufsize=12", "-tTYPE12 -c CLASS1 +no", "--backend=x --", "-q \x1b[31m", "+ti=\n",
	} {
		f.Add(args)
	}
	oneLine := regexp.MustCompile(`^[ -~]+$`)
	f.Fuzz(func(t *testing.T, text string) {
		r := newRequest(nowhere())
		err := r.parse(strings.Split(text, " "))
		if err == nil {
			err = r.finish()
		}
		if err == nil {
			if r.name == "" && r.batch == "" && r.show == "" && !r.hasName {
				t.Errorf("%q: no name to ask", text)
			}
			return
		}
		var out strings.Builder
		e := &environment{stderr: &out}
		if code := e.exit(err); code != exitUsage {
			t.Errorf("%q: exit code %d", text, code)
		}
		if line, ok := strings.CutSuffix(out.String(), "\n"); !ok || !oneLine.MatchString(line) {
			t.Errorf("%q: not one printable line: %q", text, out.String())
		}
	})
}

func TestTypesRoundTrip(t *testing.T) {
	for i := range 1 << 16 {
		n := uint16(i)
		if got, ok := parseType(strings.ToLower(typeName(n))); !ok || got != n {
			t.Fatalf("type %d is printed %s, which is read as %d, %v", n, typeName(n), got, ok)
		}
		if got, ok := parseClass(strings.ToLower(className(n))); !ok || got != n {
			t.Fatalf("class %d is printed %s, which is read as %d, %v", n, className(n), got, ok)
		}
	}
}
