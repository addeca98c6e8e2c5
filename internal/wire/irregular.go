package wire

import "encoding/binary"

// gatewayEnd is for an address or name of the type that the octet at off says, which is the first of fixed octets before it.
func gatewayEnd(msg []byte, off, fixed int) int {
	gateway := fixedEnd(msg, off, fixed)
	if gateway < 0 {
		return -1
	}
	switch msg[off] & 0x7F { // the high bit of AMTRELAY's type is a flag
	case 0:
		return gateway
	case 1:
		return fixedEnd(msg, gateway, 4)
	case 2:
		return fixedEnd(msg, gateway, 16)
	case 3:
		return wholeNameEnd(msg, gateway)
	}
	return len(msg) // whatever it is
}

// hipEnd is for the lengths of a tag and a key around an algorithm, then tag, key and rendezvous servers.
func hipEnd(msg []byte, off int) int {
	if off+4 > len(msg) {
		return -1
	}
	tag, key := int(msg[off]), int(binary.BigEndian.Uint16(msg[off+2:]))
	for off = fixedEnd(msg, off, 4+tag+key); off >= 0 && off < len(msg); {
		off = wholeNameEnd(msg, off)
	}
	return off
}
