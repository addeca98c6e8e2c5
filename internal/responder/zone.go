package responder

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/miekg/dns"
)

//go:embed zone.txt
var zoneText string

// loadZone parses and packs zone.txt, once for all servers of the process: it never changes.
var loadZone = sync.OnceValues(func() (*zone, error) { return parseZone(zoneText) })

// A zone is every name served, keyed by its wire form in lower case.
type zone struct {
	nodes   map[string]*node
	refused *reply
}

// A node is one name with its packed replies.
type node struct {
	replies  map[uint16]*reply
	other    *reply // for the types that are not in replies
	nxdomain *reply // for the names below that do not exist
	wild     *node  // the node of "*" below this name
}

// A reply is what follows the question, and what the header says of it. Owners equal to the question's name are pointers to it, nothing else
// is compressed: so the octets are right for every name of the same node, also below a wildcard.
type reply struct {
	rcode int
	flags uint16 // header bits
	counts
	body []byte
}

// counts are the header's, of the sections' records.
type counts struct{ qd, an, ns, ar uint16 }

// find returns the reply for a name in lower-case wire form: that of the node, of the wildcard of the closest encloser, or a denial.
func (z *zone) find(name []byte, typ uint16) *reply {
	if n := z.nodes[string(name)]; n != nil {
		return n.reply(typ)
	}
	for name[0] != 0 {
		name = name[1+name[0]:]
		n := z.nodes[string(name)]
		switch {
		case n == nil:
		case n.wild != nil:
			return n.wild.reply(typ)
		default:
			return n.nxdomain
		}
	}
	return z.refused
}

func (n *node) reply(typ uint16) *reply {
	if r := n.replies[typ]; r != nil {
		return r
	}
	return n.other
}

// parseZone reads master file text. Names below the first name of each zone, its SOA's owner, are created where only longer ones have records.
func parseZone(text string) (*zone, error) {
	s := records{}
	p := dns.NewZoneParser(strings.NewReader(text), ".", "zone.txt")
	for rr, ok := p.Next(); ok; rr, ok = p.Next() {
		s.add(rr)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	z := &zone{nodes: map[string]*node{}, refused: &reply{rcode: dns.RcodeRefused}}
	types := s.types()
	for name := range s {
		n, err := s.node(name, types)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		wire := make([]byte, 255)
		end, err := dns.PackDomainName(name, wire, 0, nil, false)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		z.nodes[string(wire[:end])] = n
	}
	for name, n := range z.nodes {
		if strings.HasPrefix(name, "\x01*") {
			z.nodes[name[2:]].wild = n
		}
	}
	return z, nil
}
