package responder

import (
	"encoding/binary"

	"github.com/miekg/dns"
)

const (
	headerLen = 12
	optLen    = 11 // an OPT record without options
	udpSize   = 1232
)

// Header bits of the third and fourth octet.
const (
	bitQR = 1 << 15
	bitAA = 1 << 10
	bitTC = 1 << 9
	bitRD = 1 << 8
	bitCD = 1 << 4

	opcodeMask = 15 << 11
)

// query is what the responder reads of a message.
type query struct {
	lower    [255]byte // room for the name in lower case
	end      int       // of the question
	typ      uint16
	class    uint16
	opt      bool
	size     int // what the client can take over UDP
	version  uint8
	dnssecOK bool
}

// lowerName is the name of the question in msg, in lower case.
func (q *query) lowerName(msg []byte) []byte {
	name := msg[headerLen : q.end-4]
	lower := q.lower[:len(name)]
	for i, c := range name { // length octets are below 'A'
		if c-'A' < 26 {
			c |= 0x20
		}
		lower[i] = c
	}
	return lower
}

// parse reads a message with a whole header; false means FORMERR. One question, no compression in it, at most one OPT record.
func (q *query) parse(msg []byte) bool {
	q.size, q.opt, q.version, q.dnssecOK = 512, false, 0, false
	be := binary.BigEndian
	if be.Uint16(msg[4:]) != 1 || be.Uint32(msg[6:]) != 0 || !q.question(msg) {
		return false
	}
	off := q.end
	for range be.Uint16(msg[10:]) {
		if off = q.additional(msg, off); off < 0 {
			return false
		}
	}
	return true
}

func (q *query) question(msg []byte) bool {
	off := headerLen
	for {
		if off >= len(msg) || msg[off] > 63 {
			return false
		}
		n := 1 + int(msg[off])
		if off+n > len(msg) || off-headerLen+n > len(q.lower) {
			return false
		}
		off += n
		if n == 1 {
			break
		}
	}
	if off+4 > len(msg) {
		return false
	}
	q.typ = binary.BigEndian.Uint16(msg[off:])
	q.class = binary.BigEndian.Uint16(msg[off+2:])
	q.end = off + 4
	return true
}

// additional reads one record, with the root or any other name as owner, and returns the offset behind it, -1 where it is broken.
func (q *query) additional(msg []byte, off int) int {
	for off < len(msg) && msg[off] != 0 && msg[off] < 64 {
		off += 1 + int(msg[off])
	}
	if off+optLen > len(msg) || msg[off] != 0 {
		return -1
	}
	rr := msg[off+1:]
	end := off + optLen + int(binary.BigEndian.Uint16(rr[8:]))
	if end > len(msg) {
		return -1
	}
	if binary.BigEndian.Uint16(rr) != dns.TypeOPT {
		return end
	}
	if q.opt {
		return -1 // RFC 6891 6.1.1
	}
	q.opt = true
	q.size = max(512, int(binary.BigEndian.Uint16(rr[2:])))
	q.version = rr[5]
	q.dnssecOK = rr[6]&0x80 != 0
	return end
}
