package queries

import (
	"encoding/binary"
	"net/netip"

	"github.com/dnsq/dnsq/internal/wire"
)

const (
	typeA   = 1
	typeOPT = 41

	classIN = 1

	optNSID = 3 // RFC 5001
	optECS  = 8 // RFC 7871

	bitRD, bitAD, bitCD = 1 << 8, 1 << 5, 1 << 4

	// defaultSize is what fits a datagram without fragments on nearly every path (RFC 9715).
	defaultSize = 1232
)

// Ask is what a query asks for besides its question.
type Ask struct {
	NoRD   bool // without RD: as a resolver asks
	AD, CD bool
	EDNS   bool         // an OPT record, also where nothing below needs it
	Size   uint16       // octets of UDP payload that it offers; 0: 1232
	DO     bool         // this and all below is EDNS
	NSID   bool         // RFC 5001
	ECS    netip.Prefix // RFC 7871; the zero value is none
	Extra  []Option
}

// Option is an EDNS option (RFC 6891 6.1.2).
type Option struct {
	Code uint16
	Data []byte
}

func (a *Ask) edns() bool {
	return a.EDNS || a.Size != 0 || a.DO || a.NSID || a.ECS.IsValid() || len(a.Extra) > 0
}

func (a *Ask) noEDNS() {
	a.EDNS, a.Size, a.DO, a.NSID, a.ECS, a.Extra = false, 0, false, false, netip.Prefix{}, nil
}

// frame is what stands around the question of every query that asks for the same.
type frame struct{ head, tail []byte }

func (a *Ask) frame() frame { return frame{a.appendHead(nil), a.appendTail(nil)} }

func (a *Ask) appendHead(dst []byte) []byte {
	bits, additional := uint16(bitRD), byte(0)
	if a.NoRD {
		bits = 0
	}
	if a.AD {
		bits |= bitAD
	}
	if a.CD {
		bits |= bitCD
	}
	if a.edns() {
		additional = 1
	}
	return append(dst, 0, 0, byte(bits>>8), byte(bits), 0, 1, 0, 0, 0, 0, 0, additional)
}

// appendTail appends the OPT record, if there is one.
func (a *Ask) appendTail(dst []byte) []byte {
	if !a.edns() {
		return dst
	}
	size, do := a.Size, byte(0)
	if size == 0 {
		size = defaultSize
	}
	if a.DO {
		do = 0x80
	}
	dst = append(dst, 0, 0, typeOPT, byte(size>>8), byte(size), 0, 0, do, 0, 0, 0)
	start := len(dst)
	if a.NSID {
		dst = append(dst, 0, optNSID, 0, 0)
	}
	if a.ECS.IsValid() {
		dst = appendECS(dst, a.ECS)
	}
	for _, o := range a.Extra {
		dst = binary.BigEndian.AppendUint16(dst, o.Code)
		dst = binary.BigEndian.AppendUint16(dst, uint16(len(o.Data)))
		dst = append(dst, o.Data...)
	}
	binary.BigEndian.PutUint16(dst[start-2:], uint16(len(dst)-start))
	return dst
}

// appendECS appends a client subnet: as many octets of the address as have bits of the prefix (RFC 7871 6).
func appendECS(dst []byte, p netip.Prefix) []byte {
	p = p.Masked()
	octets := (p.Bits() + 7) / 8
	dst = append(dst, 0, optECS, 0, byte(4+octets))
	if a := p.Addr(); a.Is4() {
		ip := a.As4()
		return append(append(dst, 0, 1, byte(p.Bits()), 0), ip[:octets]...)
	}
	ip := p.Addr().As16()
	return append(append(dst, 0, 2, byte(p.Bits()), 0), ip[:octets]...)
}

// appendQuery appends a query in f for a name in presentation form. After an error dst is returned as it was.
func appendQuery(dst []byte, f frame, name string, typ, class uint16) ([]byte, error) {
	out, err := wire.AppendName(append(dst, f.head...), name)
	if err != nil {
		return dst, err
	}
	out = append(out, byte(typ>>8), byte(typ), byte(class>>8), byte(class))
	return append(out, f.tail...), nil
}
