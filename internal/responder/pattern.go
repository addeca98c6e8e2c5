package responder

import (
	"fmt"

	"github.com/miekg/dns"
)

// DefaultPattern is a record that is as good as any.
const DefaultPattern = "60 A 192.0.2.1"

// ParsePattern reads one record of a pattern. The error says what it is instead.
func ParsePattern(text string) (dns.RR, error) {
	rr, err := dns.NewRR(". " + text)
	if err != nil || rr == nil || blank(rr) {
		return nil, fmt.Errorf("no record; write TTL, type and data, as in %q", DefaultPattern)
	}
	return rr, nil
}

// parsePattern packs what every name has: records without an owner, such as DefaultPattern. Types that are not among them get an empty
// answer.
func parsePattern(texts []string) (*node, error) {
	sets := map[uint16]message{}
	for _, text := range texts {
		rr, err := ParsePattern(text)
		if err != nil {
			return nil, fmt.Errorf("pattern %q is %w", text, err)
		}
		t := rr.Header().Rrtype
		sets[t] = message{answer: append(sets[t].answer, rr)}
	}
	n := &node{replies: map[uint16]*reply{}, other: &reply{flags: bitAA}}
	n.nxdomain = n.other
	for t, m := range sets {
		r, err := m.pack(".")
		if err != nil {
			return nil, err
		}
		n.replies[t] = r
	}
	return n, nil
}
