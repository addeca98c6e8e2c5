package responder

import (
	"encoding/binary"

	"github.com/miekg/dns"
)

// appendReply appends the reply to msg, or nothing where there is none to give. Over UDP it is no longer than the client allows.
func (z *zone) appendReply(dst, msg []byte, udp bool) []byte {
	if len(msg) < headerLen {
		return dst
	}
	bits := binary.BigEndian.Uint16(msg[2:])
	if bits&bitQR != 0 {
		return dst // answering responses is how two servers talk for ever
	}
	var q query
	switch {
	case bits&opcodeMask != 0:
		return appendHeader(dst, msg, dns.RcodeNotImplemented, counts{})
	case !q.parse(msg):
		return appendHeader(dst, msg, dns.RcodeFormatError, counts{})
	}
	r, rcode := z.answer(&q)
	size := q.end + len(r.body)
	n := r.counts
	n.qd = 1
	if q.opt {
		size += optLen
		n.ar++
	}
	flags, body := r.flags|uint16(rcode&15), r.body
	if udp && size > q.size {
		flags, body = flags|bitTC, nil
		n = counts{qd: 1, ar: n.ar - r.ar}
	}
	dst = appendHeader(dst, msg, flags, n)
	dst = append(dst, msg[headerLen:q.end]...) // the client's spelling of the name
	dst = append(dst, body...)
	if q.opt {
		dst = q.appendOPT(dst, rcode)
	}
	return dst
}

// answer returns the records and the response code, which may need EDNS to express.
func (z *zone) answer(q *query) (*reply, int) {
	if q.version > 0 {
		return &reply{}, dns.RcodeBadVers
	}
	if q.class != dns.ClassINET && q.class != dns.ClassANY {
		return z.refused, dns.RcodeRefused
	}
	r := z.find(q.name(), q.typ)
	return r, r.rcode
}

func appendHeader(dst, msg []byte, flags uint16, n counts) []byte {
	be := binary.BigEndian
	dst = append(dst, msg[:2]...)
	dst = be.AppendUint16(dst, bitQR|flags|be.Uint16(msg[2:])&(opcodeMask|bitRD|bitCD))
	dst = be.AppendUint16(dst, n.qd)
	dst = be.AppendUint16(dst, n.an)
	dst = be.AppendUint16(dst, n.ns)
	return be.AppendUint16(dst, n.ar)
}

func (q *query) appendOPT(dst []byte, rcode int) []byte {
	flags := byte(0)
	if q.dnssecOK {
		flags = 0x80
	}
	return append(dst, 0, 0, byte(dns.TypeOPT), udpSize>>8, udpSize&0xff, byte(rcode>>4), 0, flags, 0, 0, 0)
}
