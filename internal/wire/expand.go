package wire

// MaxName is the most octets of a name on the wire, length octets and root included (RFC 1035 2.3.4).
const MaxName = maxName

// AppendExpanded appends the name at off of msg to dst without compression. It is not ok, and dst is returned as it was, where there is no
// valid name.
func AppendExpanded(dst, msg []byte, off int) (name []byte, ok bool) {
	if _, ok := SkipName(msg, off); !ok {
		return dst, false
	}
	name = dst
	for {
		switch c := int(msg[off]); {
		case c == 0:
			return append(name, 0), true
		case c >= 0xC0:
			off = c&0x3F<<8 | int(msg[off+1])
		default:
			name = append(name, msg[off:off+1+c]...)
			off += 1 + c
		}
	}
}
