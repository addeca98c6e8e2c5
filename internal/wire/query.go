package wire

import (
	"bytes"
	"encoding/binary"
)

// QueryOptions says what a query asks for besides its question.
type QueryOptions struct {
	RecursionDesired bool
	AuthenticData    bool // AD: the asker understands AD (RFC 6840 5.7)
	CheckingDisabled bool
	DNSSEC           bool   // DO; sent only in an OPT record
	UDPSize          uint16 // octets of UDP payload offered in an OPT record; 0: no OPT record
}

func (o QueryOptions) bits() uint16 {
	var b uint16
	if o.RecursionDesired {
		b |= bitRD
	}
	if o.AuthenticData {
		b |= bitAD
	}
	if o.CheckingDisabled {
		b |= bitCD
	}
	return b
}

// AppendQuery appends a query with ID 0 to dst: one question and, if o says so, an OPT record. It does not allocate where dst has
// room: HeaderLen + 255 + 4 + 11 octets are always enough. The error is AppendName's; dst is then returned as it was.
func AppendQuery(dst []byte, name string, typ, class uint16, o QueryOptions) ([]byte, error) {
	var additional byte
	if o.UDPSize != 0 {
		additional = 1
	}
	bits := o.bits()
	out := append(dst, 0, 0, byte(bits>>8), byte(bits), 0, 1, 0, 0, 0, 0, 0, additional)
	out, err := AppendName(out, name)
	if err != nil {
		return dst, err
	}
	out = binary.BigEndian.AppendUint16(out, typ)
	out = binary.BigEndian.AppendUint16(out, class)
	if o.UDPSize != 0 {
		out = appendOPT(out, o.UDPSize, o.DNSSEC)
	}
	return out, nil
}

// QuestionEnd returns the offset behind the first question of msg. It is ok only if there is one and its name is not compressed: nothing
// stands before it that a pointer could lead to.
func QuestionEnd(msg []byte) (end int, ok bool) {
	if len(msg) < HeaderLen || binary.BigEndian.Uint16(msg[4:]) == 0 {
		return 0, false
	}
	off, ok := SkipName(msg, HeaderLen)
	if !ok || off+4 > len(msg) {
		return 0, false
	}
	return off + 4, true
}

// Answers reports whether reply has QR set and the opcode of query. Both must have a header.
func Answers(reply, query []byte) bool {
	const qr, opcode = 0x80, 0x78 // of the third octet
	return reply[2]&qr != 0 && (reply[2]^query[2])&opcode == 0
}

// SameQuestion reports whether reply and query both hold exactly one question and these are equal: names as NamesEqual has it, type
// and class exactly. Nothing behind the questions is looked at.
func SameQuestion(reply, query []byte) bool {
	end, ok := QuestionEnd(query)
	if !ok || len(reply) < end {
		return false
	}
	if binary.BigEndian.Uint16(query[4:]) != 1 || binary.BigEndian.Uint16(reply[4:]) != 1 {
		return false
	}
	if bytes.Equal(reply[HeaderLen:end], query[HeaderLen:end]) {
		return true
	}
	// Length octets are below 'A', so that folding the name as a whole never mistakes one.
	name := end - 4
	return bytes.Equal(reply[name:end], query[name:end]) && equalFold(reply[HeaderLen:name], query[HeaderLen:name])
}
