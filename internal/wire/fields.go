package wire

import "encoding/binary"

// The functions here return the offset behind what begins at off of data that ends with msg, -1 if that is bad.

func fixedEnd(msg []byte, off, n int) int {
	if off+n > len(msg) {
		return -1
	}
	return off + n
}

func goodNameEnd(msg []byte, off int) int {
	if end, ok := SkipName(msg, off); ok {
		return end
	}
	return -1
}

// wholeNameEnd is goodNameEnd for a name that must not be compressed.
func wholeNameEnd(msg []byte, off int) int {
	if end, whole := nameEnd(msg, off); whole && end-off <= maxName {
		return end
	}
	return -1
}

func stringEnd(msg []byte, off int) int {
	if off >= len(msg) {
		return -1
	}
	return fixedEnd(msg, off, 1+int(msg[off]))
}

func stringsEnd(msg []byte, off int) int {
	for off = stringEnd(msg, off); off >= 0 && off < len(msg); {
		off = stringEnd(msg, off)
	}
	return off
}

// bitmapEnd wants ascending windows of 1 to 32 octets (RFC 4034 4.1.2). There may be none: an empty non-terminal of NSEC3 has no type.
func bitmapEnd(msg []byte, off int) int {
	for last := -1; off < len(msg); {
		if off+2 > len(msg) {
			return -1
		}
		window, n := int(msg[off]), int(msg[off+1])
		if window <= last || n == 0 || n > 32 {
			return -1
		}
		if off = fixedEnd(msg, off, 2+n); off < 0 {
			return -1
		}
		last = window
	}
	return off
}

func optionsEnd(msg []byte, off int) int {
	for off < len(msg) {
		if off+4 > len(msg) {
			return -1
		}
		if off = fixedEnd(msg, off, 4+int(binary.BigEndian.Uint16(msg[off+2:]))); off < 0 {
			return -1
		}
	}
	return off
}

func prefixesEnd(msg []byte, off int) int {
	for off < len(msg) {
		if off+4 > len(msg) {
			return -1
		}
		if off = fixedEnd(msg, off, 4+int(msg[off+3]&0x7F)); off < 0 {
			return -1
		}
	}
	return off
}
