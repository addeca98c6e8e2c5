package wire

import "encoding/binary"

// HeaderLen is the number of octets of a message header (RFC 1035 4.1.1).
const HeaderLen = 12

// Header is the fixed start of a message. Bits holds everything between the ID and the counts.
type Header struct{ ID, Bits, QD, AN, NS, AR uint16 }

// Bits of a header (RFC 1035 4.1.1, RFC 2535 6.1).
const (
	bitQR = 1 << 15
	bitAA = 1 << 10
	bitTC = 1 << 9
	bitRD = 1 << 8
	bitRA = 1 << 7
	bitAD = 1 << 5
	bitCD = 1 << 4
)

// PeekHeader reads the header of msg. It is not ok if msg is too short to have one.
func PeekHeader(msg []byte) (h Header, ok bool) {
	ok = h.read(msg)
	return h, ok
}

// read is PeekHeader in place: copying six short fields that were just written stalls the processor for longer than reading them takes.
func (h *Header) read(msg []byte) bool {
	if len(msg) < HeaderLen {
		return false
	}
	h.ID = binary.BigEndian.Uint16(msg)
	h.Bits = binary.BigEndian.Uint16(msg[2:])
	h.QD = binary.BigEndian.Uint16(msg[4:])
	h.AN = binary.BigEndian.Uint16(msg[6:])
	h.NS = binary.BigEndian.Uint16(msg[8:])
	h.AR = binary.BigEndian.Uint16(msg[10:])
	return true
}

// ID reads the ID of msg. It is not ok if msg is too short to have a header.
func ID(msg []byte) (id uint16, ok bool) {
	if len(msg) < HeaderLen {
		return 0, false
	}
	return binary.BigEndian.Uint16(msg), true
}

// Truncated reports TC of msg, which must have a header.
func Truncated(msg []byte) bool { return msg[2]&(bitTC>>8) != 0 }

// RecursionDesired reports RD of msg, which must have a header.
func RecursionDesired(msg []byte) bool { return msg[2]&(bitRD>>8) != 0 }

// SetID writes id into the header of msg, which must have at least its first two octets.
func SetID(msg []byte, id uint16) { binary.BigEndian.PutUint16(msg, id) }

// Response reports QR: the message is a response, not a query.
func (h Header) Response() bool { return h.Bits&bitQR != 0 }

// Opcode is the kind of query, 0 for QUERY.
func (h Header) Opcode() uint8 { return uint8(h.Bits >> 11 & 0xF) }

// Authoritative reports AA.
func (h Header) Authoritative() bool { return h.Bits&bitAA != 0 }

// Truncated reports TC: the message was cut to fit its transport.
func (h Header) Truncated() bool { return h.Bits&bitTC != 0 }

// RecursionDesired reports RD.
func (h Header) RecursionDesired() bool { return h.Bits&bitRD != 0 }

// RecursionAvailable reports RA.
func (h Header) RecursionAvailable() bool { return h.Bits&bitRA != 0 }

// AuthenticData reports AD (RFC 4035 3.2.3).
func (h Header) AuthenticData() bool { return h.Bits&bitAD != 0 }

// CheckingDisabled reports CD (RFC 4035 3.2.2).
func (h Header) CheckingDisabled() bool { return h.Bits&bitCD != 0 }

// Rcode is the response code without its EDNS extension: four bits.
func (h Header) Rcode() uint8 { return uint8(h.Bits & 0xF) }
