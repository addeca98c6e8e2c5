package wire

import "encoding/binary"

const (
	bitDO      = 1 << 15 // of an OPT record's TTL (RFC 6891 6.1.4)
	minUDPSize = 512
)

func appendOPT(dst []byte, size uint16, dnssec bool) []byte {
	var do byte
	if dnssec {
		do = bitDO >> 8
	}
	return append(dst, 0, 0, typeOPT, byte(size>>8), byte(size), 0, 0, do, 0, 0, 0)
}

// setOPT takes over what the OPT record r says (RFC 6891 6.1.3).
func (i *Info) setOPT(r *Record) {
	i.OPT = true
	i.UDPSize = max(r.Class, minUDPSize)
	i.Rcode |= uint16(r.TTL>>24) << 4
	i.Version = uint8(r.TTL >> 16)
	i.DNSSECOK = r.TTL&bitDO != 0
}

// findOPT returns the OPT record of msg and whether it is the last record.
func findOPT(msg []byte) (opt Record, last, ok bool) {
	w := Walk(msg)
	for r, more := w.Next(); more; r, more = w.Next() {
		last = false
		if r.Type == typeOPT && r.Section == Additional && !ok {
			opt, last, ok = r, true, true
		}
	}
	return opt, last, ok && w.err == nil
}

// QueryOPT reports whether the query msg has an OPT record, and whether that one asks for something which a query without it would
// not get: DO is set or there are options.
func QueryOPT(msg []byte) (hasOPT, explicit bool) {
	opt, _, ok := findOPT(msg)
	return ok, ok && (opt.TTL&bitDO != 0 || opt.Data != opt.End)
}

// StripOPT appends the query msg to dst without its OPT record. It is not ok, and dst is returned as it was, if there is none or
// other records follow it: those would be a signature over the whole (RFC 8945 5.1).
func StripOPT(dst, msg []byte) ([]byte, bool) {
	opt, last, ok := findOPT(msg)
	if !ok || !last {
		return dst, false
	}
	start := len(dst)
	dst = append(dst, msg[:opt.Owner]...)
	additional := dst[start+10 : start+12]
	binary.BigEndian.PutUint16(additional, binary.BigEndian.Uint16(additional)-1)
	return dst, true
}
