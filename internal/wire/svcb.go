package wire

import "encoding/binary"

// Service parameter keys the values of which have a form to check (RFC 9460 14.3.2, RFC 9540 4).
const (
	keyMandatory     = 0
	keyALPN          = 1
	keyNoDefaultALPN = 2
	keyPort          = 3
	keyIPv4Hint      = 4
	keyECH           = 5
	keyIPv6Hint      = 6
	keyOHTTP         = 8
)

// paramsEnd wants keys in strictly increasing order, each value well formed (RFC 9460 2.2): else the whole RRset is to be refused.
func paramsEnd(msg []byte, off int) int {
	for last := -1; off < len(msg); {
		if off+4 > len(msg) {
			return -1
		}
		key := int(binary.BigEndian.Uint16(msg[off:]))
		end := fixedEnd(msg, off, 4+int(binary.BigEndian.Uint16(msg[off+2:])))
		if end < 0 || key <= last || !goodParam(key, msg[off+4:end]) {
			return -1
		}
		off, last = end, key
	}
	return off
}

func goodParam(key int, value []byte) bool {
	switch n := len(value); key {
	case keyMandatory:
		return goodMandatory(value)
	case keyALPN:
		return goodALPN(value)
	case keyNoDefaultALPN, keyOHTTP:
		return n == 0
	case keyPort:
		return n == 2
	case keyIPv4Hint:
		return n != 0 && n%4 == 0
	case keyIPv6Hint:
		return n != 0 && n%16 == 0
	case keyECH:
		return n != 0
	}
	return true
}

// goodMandatory wants strictly increasing keys, itself not among them (RFC 9460 8).
func goodMandatory(value []byte) bool {
	last := uint16(keyMandatory)
	for v := value; len(v) >= 2; v = v[2:] {
		key := binary.BigEndian.Uint16(v)
		if key <= last {
			return false
		}
		last = key
	}
	return len(value) != 0 && len(value)%2 == 0
}

// goodALPN wants at least one protocol, none of them empty (RFC 9460 7.1.1).
func goodALPN(value []byte) bool {
	if len(value) == 0 {
		return false
	}
	for off := 0; off < len(value); off += 1 + int(value[off]) {
		if n := int(value[off]); n == 0 || off+1+n > len(value) {
			return false
		}
	}
	return true
}
