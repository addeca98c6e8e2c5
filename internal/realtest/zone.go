package realtest

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/miekg/dns"
)

// Origin is the name of the zone made of public suffixes. RFC 6761 keeps it for tests.
const Origin = "test."

// Zone is what a server serves and what questions are made from.
type Zone struct {
	Origin  string
	Records []dns.RR
}

// Zones makes the zones that every server serves, out of a Public Suffix List,
// and the trust anchor of the signed one.
func Zones(list io.Reader) ([]Zone, *dns.DS, error) {
	suffix, err := SuffixZone(list)
	if err != nil {
		return nil, nil, err
	}
	signed, anchor, err := SignedZone()
	if err != nil {
		return nil, nil, err
	}
	suffix.Records = append(suffix.Records, anchor)
	return []Zone{suffix, signed}, anchor, nil
}

// SuffixZone makes the zone Origin out of a Public Suffix List: an owner name
// for each rule, with the contents table's entries dealt out in turn, and the
// special cases. Equal lists give equal zones.
func SuffixZone(list io.Reader) (Zone, error) {
	names, err := Suffixes(list, Origin)
	if err != nil {
		return Zone{}, err
	}
	var text strings.Builder
	text.WriteString(apex)
	dealOut(&text, contents(), names)
	text.WriteString(special())
	return ParseZone(Origin, text.String())
}

// dealOut writes the table's entries, one for each name.
func dealOut(text *strings.Builder, table [][]string, names []string) {
	for i, name := range names {
		fill := strings.NewReplacer(
			"{n}", fmt.Sprint(i%254+1),
			"{hex}", fmt.Sprintf("%04x", i),
			"{target}", names[(i*7+1)%len(names)])
		for _, content := range table[i%len(table)] {
			fmt.Fprintf(text, "%s %s\n", name, fill.Replace(content))
		}
	}
}

// WriteFile writes the zone to path in the master file format of RFC 1035 5.
func (z Zone) WriteFile(path string) error {
	var text strings.Builder
	for _, rr := range z.Records {
		line := rr.String()
		if _, unknown := rr.(*dns.RFC3597); unknown {
			line = strings.Replace(line, "\tCLASS1\t", "\tIN\t", 1) // Knot wants a class by its name
		}
		fmt.Fprintln(&text, line)
	}
	return os.WriteFile(path, []byte(text.String()), 0o644)
}

// ParseZone reads a zone in the master file format.
func ParseZone(origin, text string) (Zone, error) {
	z := Zone{Origin: origin}
	p := dns.NewZoneParser(strings.NewReader(text), origin, "")
	for rr, ok := p.Next(); ok; rr, ok = p.Next() {
		z.Records = append(z.Records, rr)
	}
	if err := p.Err(); err != nil {
		return Zone{}, fmt.Errorf("zone %s: %w", origin, err)
	}
	return z, nil
}
