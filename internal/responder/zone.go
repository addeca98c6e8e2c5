package responder

import (
	_ "embed"
	"fmt"
	"slices"
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
	pattern *node // answers for the names that nodes has nothing for; nil: refused
	refused *reply
	badvers *reply
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

func newZone() *zone {
	return &zone{nodes: map[string]*node{}, refused: &reply{rcode: dns.RcodeRefused}, badvers: &reply{rcode: dns.RcodeBadVers}}
}

// find returns the reply for a name in lower-case wire form: that of the node, of the wildcard of the closest encloser, a denial, or what
// all names get.
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
	return z.outside(typ)
}

// outside is the reply where no node is at or above the name.
func (z *zone) outside(typ uint16) *reply {
	if z.pattern != nil {
		return z.pattern.reply(typ)
	}
	return z.refused
}

func (n *node) reply(typ uint16) *reply {
	if r := n.replies[typ]; r != nil {
		return r
	}
	return n.other
}

// parseZone reads master file text.
func parseZone(text string) (*zone, error) {
	lines, err := readMaster(strings.NewReader(text), "zone.txt", ".")
	if err != nil {
		return nil, err
	}
	return compile(lines)
}

// compile packs the replies of all names of the records in lines.
func compile(lines []line) (*zone, error) {
	s, err := collect(lines)
	if err != nil {
		return nil, err
	}
	z, p := newZone(), newPacker(s)
	for name := range s {
		n, err := p.node(name)
		if err != nil {
			at := slices.IndexFunc(lines, func(l line) bool { return l.owner() == name })
			return nil, fmt.Errorf("%s%w", lines[max(at, 0)].prefix(), err)
		}
		wire := make([]byte, 255)
		end, err := dns.PackDomainName(name, wire, 0, nil, false)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		z.nodes[string(wire[:end])] = n
	}
	for name, n := range z.nodes {
		if above, ok := strings.CutPrefix(name, "\x01*"); ok {
			z.nodes[above].wild = n
		}
	}
	return z, nil
}
