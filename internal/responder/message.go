package responder

import (
	"fmt"
	"strings"

	"github.com/miekg/dns"
)

// message is a reply before it is packed.
type message struct {
	rcode                         int
	answer, authority, additional []dns.RR
	referral                      bool // not authoritative
}

// maxBody leaves room in 65,535 octets for the header, the longest question and an OPT record.
const maxBody = 65535 - headerLen - 255 - 4 - optLen

// pack packs the sections for questions about name, "" for those about names that own none of the records.
func (m message) pack(name string) (*reply, error) {
	r := &reply{rcode: m.rcode, flags: bitAA}
	if m.referral {
		r.flags = 0
	}
	r.counts = counts{an: uint16(len(m.answer)), ns: uint16(len(m.authority)), ar: uint16(len(m.additional))}
	for _, section := range [][]dns.RR{m.answer, m.authority, m.additional} {
		for _, rr := range section {
			var err error
			if r.body, err = appendRecord(r.body, rr, name); err != nil {
				return nil, err
			}
		}
	}
	if len(r.body) > maxBody {
		return nil, fmt.Errorf("%s: %d octets of records do not fit into a message, %d do", name, len(r.body), maxBody)
	}
	return r, nil
}

// appendRecord packs rr with, where its owner is name, a pointer to the question in the owner's place.
func appendRecord(dst []byte, rr dns.RR, name string) ([]byte, error) {
	rr = dns.Copy(rr)
	own := strings.EqualFold(rr.Header().Name, name)
	if own {
		rr.Header().Name = "."
	}
	buf := make([]byte, dns.Len(rr)+1)
	n, err := dns.PackRR(rr, buf, 0, nil, false)
	if err != nil {
		return nil, err
	}
	if own {
		return append(append(dst, 0xc0, headerLen), buf[1:n]...), nil
	}
	return append(dst, buf[:n]...), nil
}
