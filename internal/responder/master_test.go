package responder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"
)

const testZone = `$TTL 300
@          SOA  ns hostmaster 1 7200 3600 1209600 60
@          NS   ns
ns         A    192.0.2.53
www        A    192.0.2.80
alias      CNAME WWW
covered    CNAME any.wild
*.wild     A    192.0.2.42
*.wild.sub A    192.0.2.99
below.*.ent A    192.0.2.7
sub        NS   ns.sub
sub        NS   ns.elsewhere.
sub        DS   1 13 2 3490A6806D47F17A34C29E2CE80E8A999FFBE4BE3490A6806D47F17A34C29E2C
ns.sub     A    192.0.2.54
into       CNAME www.sub
bare       NS   ns
`

func writeZone(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "zone")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestZoneFile(t *testing.T) {
	const (
		soa = "example.org. SOA ns.example.org. hostmaster.example.org. 1 7200 3600 1209600 60"
		ns1 = "sub.example.org. NS ns.elsewhere."
		ns2 = "sub.example.org. NS ns.sub.example.org."
	)
	tests := []struct {
		name  string
		typ   uint16
		rcode int
		aa    bool
		want  []string // answer and authority, sorted
		extra []string
	}{
		{"www.example.org.", dns.TypeA, 0, true, []string{"www.example.org. A 192.0.2.80"}, nil},
		{"alias.example.org.", dns.TypeA, 0, true, []string{"alias.example.org. CNAME WWW.example.org.", "www.example.org. A 192.0.2.80"}, nil},
		{"covered.example.org.", dns.TypeA, 0, true, []string{"any.wild.example.org. A 192.0.2.42", "covered.example.org. CNAME any.wild.example.org."}, nil},
		{"covered.example.org.", dns.TypeMX, 0, true, []string{"covered.example.org. CNAME any.wild.example.org.", soa}, nil},
		{"a.b.wild.example.org.", dns.TypeA, 0, true, []string{"a.b.wild.example.org. A 192.0.2.42"}, nil},
		{"wild.example.org.", dns.TypeA, 0, true, []string{soa}, nil},
		{"x.ent.example.org.", dns.TypeA, 0, true, []string{soa}, nil}, // *.ent exists, by the name below it
		{"www.example.org.", dns.TypeMX, 0, true, []string{soa}, nil},
		{"nobody.example.org.", dns.TypeA, dns.RcodeNameError, true, []string{soa}, nil},
		{"sub.example.org.", dns.TypeA, 0, false, []string{ns1, ns2}, []string{"ns.sub.example.org. A 192.0.2.54"}},
		{"sub.example.org.", dns.TypeANY, 0, false, []string{ns1, ns2}, []string{"ns.sub.example.org. A 192.0.2.54"}},
		{"ns.sub.example.org.", dns.TypeA, 0, false, []string{ns1, ns2}, []string{"ns.sub.example.org. A 192.0.2.54"}},
		{"x.y.sub.example.org.", dns.TypeMX, 0, false, []string{ns1, ns2}, []string{"ns.sub.example.org. A 192.0.2.54"}},
		{"x.wild.sub.example.org.", dns.TypeA, 0, false, []string{ns1, ns2}, []string{"ns.sub.example.org. A 192.0.2.54"}},
		{"sub.example.org.", dns.TypeDS, 0, true, []string{"sub.example.org. DS 1 13 2 3490A6806D47F17A34C29E2CE80E8A999FFBE4BE3490A6806D47F17A34C29E2C"}, nil},
		{"bare.example.org.", dns.TypeDS, 0, true, []string{soa}, nil},
		{"into.example.org.", dns.TypeA, 0, true, []string{"into.example.org. CNAME www.sub.example.org.", ns1, ns2}, []string{"ns.sub.example.org. A 192.0.2.54"}},
		{"example.com.", dns.TypeA, dns.RcodeRefused, false, nil, nil},
	}
	s := open(t, Config{Zones: []ZoneFile{{Name: writeZone(t, testZone), Origin: "example.org"}}})
	for _, tt := range tests {
		t.Run(tt.name+dns.TypeToString[tt.typ], func(t *testing.T) {
			r := ask(t, s, "udp", question(tt.name, tt.typ))
			if r.Rcode != tt.rcode || r.Authoritative != tt.aa {
				t.Errorf("rcode %s, aa %v", dns.RcodeToString[r.Rcode], r.Authoritative)
			}
			if diff := cmp.Diff(tt.want, texts(append(r.Answer, r.Ns...))); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.extra, texts(r.Extra)); diff != "" {
				t.Errorf("additional (-want +got):\n%s", diff)
			}
		})
	}
}

// The root can be served, and then nothing is refused.
func TestRootZone(t *testing.T) {
	s := open(t, Config{Zones: []ZoneFile{{Name: writeZone(t, ". SOA a. b. 1 1 1 1 1\n*. A 192.0.2.3\ncom. NS a.com.\na.com. A 192.0.2.4\n")}}})
	for _, tt := range []struct {
		name string
		typ  uint16
		want []string
	}{
		{"any.thing.", dns.TypeA, []string{"any.thing. A 192.0.2.3"}},
		{"www.com.", dns.TypeA, []string{"com. NS a.com."}},
		{".", dns.TypeA, []string{". SOA a. b. 1 1 1 1 1"}},
	} {
		r := ask(t, s, "udp", question(tt.name, tt.typ))
		if diff := cmp.Diff(tt.want, texts(append(r.Answer, r.Ns...))); diff != "" || r.Rcode != 0 {
			t.Errorf("%s: rcode %d (-want +got):\n%s", tt.name, r.Rcode, diff)
		}
	}
}

func TestZoneFileErrors(t *testing.T) {
	const soa = "$ORIGIN x.\n@ 1 SOA a b 1 1 1 1 1\n"
	tests := []struct{ name, text, want string }{
		{"bad data", soa + "\n; remark\na A 300.0.0.1\n", ":5:13: bad A A: \"300.0.0.1\""},
		{"bad type", soa + "a IN BOGUS y", ":3:11: "},
		{"no SOA", "a.x. A 192.0.2.1\n", ":1: a.x. is in no zone: give a SOA record"},
		{"beside the zone", soa + "a.x. A 192.0.2.1\nb.y. A 192.0.2.1", ":4: b.y. is in no zone"},
		{"CNAME and other data", soa + "a A 192.0.2.1\n\na CNAME b\n", ":5: a.x. has CNAME and A records"},
		{"two CNAME", soa + "a CNAME b\na CNAME c\n", ":3: a.x. has 2 CNAME records"},
		{"two SOA", soa + "@ SOA a b 2 1 1 1 1\n", ":3: x. has two SOA records"},
		{"class", soa + "a CH A 192.0.2.1\n", ":3: a.x. is of class CH"},
		{"in several lines", soa + "a TXT ( \"b\"\n \"c\" )\nb CNAME d\nb A 192.0.2.1\n", ":5: b.x. has CNAME and A"},
		{"no data", soa + "a A\n", ":3: a.x. has an A record without data"},
		{"too much", soa + "$GENERATE 0-4999 a TXT \"text number $\"\n", ":3: a.x.: "},
		{"nothing", "; remark\n", ": no records"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name := writeZone(t, tt.text)
			_, err := Open(Config{Zones: []ZoneFile{{Name: name}}})
			if err == nil || !strings.HasPrefix(err.Error(), name+tt.want) {
				t.Errorf("error %v, want one that begins with FILE%s", err, tt.want)
			}
		})
	}
	if _, err := Open(Config{Zones: []ZoneFile{{Name: writeZone(t, soa), Origin: "a..b"}}}); err == nil || !strings.Contains(err.Error(), `origin "a..b."`) {
		t.Errorf("a bad origin: %v", err)
	}
}

// A transfer has the SOA record twice, and a file may include others.
func TestZoneFileOddities(t *testing.T) {
	part := writeZone(t, "b A 192.0.2.2\n")
	soa := "@ 1 SOA a b 1 1 1 1 1\n"
	s := open(t, Config{Zones: []ZoneFile{{Name: writeZone(t, "$ORIGIN x.\n"+soa+"$INCLUDE "+part+"\na A 192.0.2.1\n"+soa)}}})
	for _, name := range []string{"a.x.", "b.x."} {
		r := ask(t, s, "udp", question(name, dns.TypeA))
		if len(r.Answer) != 1 || r.Answer[0].Header().Ttl != 1 && r.Answer[0].Header().Ttl != defaultTTL {
			t.Errorf("%s: %v", name, r.Answer)
		}
	}
}

func TestPattern(t *testing.T) {
	s := open(t, Config{
		Zones:   []ZoneFile{{Name: writeZone(t, testZone), Origin: "example.org"}},
		Pattern: []string{DefaultPattern, "5 A 192.0.2.2", `0 TXT "x"`},
	})
	for _, tt := range []struct {
		name  string
		typ   uint16
		rcode int
		want  []string
	}{
		{"Any.NAME.", dns.TypeA, 0, []string{"Any.NAME. A 192.0.2.1", "Any.NAME. A 192.0.2.2"}},
		{".", dns.TypeTXT, 0, []string{`. TXT "x"`}},
		{"any.name.", dns.TypeMX, 0, nil},
		{"www.example.org.", dns.TypeA, 0, []string{"www.example.org. A 192.0.2.80"}},
		{"nobody.example.org.", dns.TypeA, dns.RcodeNameError, nil},
	} {
		r := ask(t, s, "udp", question(tt.name, tt.typ))
		if diff := cmp.Diff(tt.want, texts(r.Answer)); diff != "" || r.Rcode != tt.rcode {
			t.Errorf("%s: rcode %d (-want +got):\n%s", tt.name, r.Rcode, diff)
		}
	}
	for _, bad := range []string{"", "A", "60 A nowhere", "60 BOGUS x"} {
		if _, err := Open(Config{Pattern: []string{bad}}); err == nil || !strings.Contains(err.Error(), "is no record") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
