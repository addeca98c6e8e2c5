package responder

import (
	"encoding/binary"

	"github.com/miekg/dns"
)

// An answerer writes the replies to messages. One goroutine uses it.
type answerer struct {
	zone     *zone
	rcode    int  // of every reply to a good query, without records; 0: what the zone says
	truncate bool // over UDP
	q        query
}

// maxUDP is the longest datagram over IPv4.
const maxUDP = 65507

// appendReply appends the reply to msg, or nothing where there is none to give. Over UDP it is no longer than the client allows.
func (a *answerer) appendReply(dst, msg []byte, udp bool) []byte {
	if len(msg) < headerLen {
		return dst
	}
	bits := binary.BigEndian.Uint16(msg[2:])
	if bits&bitQR != 0 {
		return dst // answering responses is how two servers talk for ever
	}
	q := &a.q
	switch {
	case bits&opcodeMask != 0:
		return appendHeader(dst, msg, dns.RcodeNotImplemented, counts{})
	case !q.parse(msg):
		return appendHeader(dst, msg, dns.RcodeFormatError, counts{})
	}
	r, rcode := a.zone.answer(q, msg)
	flags, n, body := r.flags, r.counts, r.body
	n.qd = 1
	size := q.end + len(body)
	if q.opt {
		size += optLen
		n.ar++
	}
	cut := udp && (a.truncate || size > min(q.size, maxUDP))
	if cut {
		flags |= bitTC
	}
	if a.rcode != 0 {
		rcode = a.rcode
	}
	if cut || a.rcode != 0 {
		body, n = nil, counts{qd: 1, ar: n.ar - r.ar}
	}
	dst = appendHeader(dst, msg, flags|uint16(rcode&15), n)
	dst = append(dst, msg[headerLen:q.end]...) // the client's spelling of the name
	dst = append(dst, body...)
	if q.opt {
		dst = q.appendOPT(dst, rcode)
	}
	return dst
}

// appendReply is that of an answerer that adds nothing.
func (z *zone) appendReply(dst, msg []byte, udp bool) []byte {
	return (&answerer{zone: z}).appendReply(dst, msg, udp)
}

// answer returns the records and the response code, which may need EDNS to express.
func (z *zone) answer(q *query, msg []byte) (*reply, int) {
	r := z.refused
	switch {
	case q.version > 0:
		r = z.badvers
	case q.class != dns.ClassINET && q.class != dns.ClassANY:
	case len(z.nodes) == 0:
		r = z.outside(q.typ)
	default:
		r = z.find(q.lowerName(msg), q.typ)
	}
	return r, r.rcode
}

func appendHeader(dst, msg []byte, flags uint16, n counts) []byte {
	be := binary.BigEndian
	flags |= bitQR | be.Uint16(msg[2:])&(opcodeMask|bitRD|bitCD)
	return append(dst, msg[0], msg[1], byte(flags>>8), byte(flags), byte(n.qd>>8), byte(n.qd), byte(n.an>>8), byte(n.an),
		byte(n.ns>>8), byte(n.ns), byte(n.ar>>8), byte(n.ar))
}

func (q *query) appendOPT(dst []byte, rcode int) []byte {
	flags := byte(0)
	if q.dnssecOK {
		flags = 0x80
	}
	return append(dst, 0, 0, byte(dns.TypeOPT), udpSize>>8, udpSize&0xff, byte(rcode>>4), 0, flags, 0, 0, 0)
}
