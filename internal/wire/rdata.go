package wire

import "encoding/binary"

const (
	typeA   = 1
	typeOPT = 41
	classIN = 1
)

// formats holds the layout of each known type's data, one letter a field:
//
//	1 2 4 6 8  that many octets
//	a A        an IPv4, an IPv6 address
//	n          a name, compressed or not: receivers take both (RFC 3597 4)
//	N          a name that must not be compressed
//	s          a character-string (RFC 1035 3.3)
//	t          character-strings to the end, at least one
//	l          octets with their number in two octets before them
//	b          a type bitmap to the end (RFC 4034 4.1.2)
//	v          service parameters to the end (RFC 9460 2.2)
//	o          EDNS options to the end (RFC 6891 6.1.2)
//	p          address prefixes to the end (RFC 3123 4)
//	g          a gateway type, an algorithm, the gateway (RFC 4025 2.1)
//	r          a relay type, the relay (RFC 8777 4.2)
//	h          the whole of a HIP record (RFC 8005 5)
//	*          anything to the end
//
// The data of a type without an entry is opaque. To add a type, add its line.
var formats = [...]string{
	typeA:   "a",
	2:       "n",         // NS
	3:       "n",         // MD
	4:       "n",         // MF
	5:       "n",         // CNAME
	6:       "nn44444",   // SOA
	7:       "n",         // MB
	8:       "n",         // MG
	9:       "n",         // MR
	11:      "a1*",       // WKS
	12:      "n",         // PTR
	13:      "ss",        // HINFO
	14:      "nn",        // MINFO
	15:      "2n",        // MX
	16:      "t",         // TXT
	17:      "nn",        // RP
	18:      "2n",        // AFSDB
	19:      "s",         // X25
	20:      "t",         // ISDN
	21:      "2n",        // RT
	23:      "n",         // NSAP-PTR
	24:      "2114442n*", // SIG
	25:      "211*",      // KEY
	26:      "2nn",       // PX
	27:      "sss",       // GPOS
	28:      "A",         // AAAA
	29:      "1111444",   // LOC
	30:      "n*",        // NXT
	33:      "222n",      // SRV
	35:      "22sssn",    // NAPTR
	36:      "2n",        // KX
	37:      "221*",      // CERT
	39:      "n",         // DNAME
	typeOPT: "o",
	42:      "p",         // APL
	43:      "211*",      // DS
	44:      "11*",       // SSHFP
	45:      "1g*",       // IPSECKEY
	46:      "2114442n*", // RRSIG
	47:      "nb",        // NSEC
	48:      "211*",      // DNSKEY
	50:      "112ssb",    // NSEC3
	51:      "112s",      // NSEC3PARAM
	52:      "111*",      // TLSA
	53:      "111*",      // SMIMEA
	55:      "h",         // HIP
	56:      "t",         // NINFO
	57:      "211*",      // RKEY
	58:      "nn",        // TALINK
	59:      "211*",      // CDS
	60:      "211*",      // CDNSKEY
	62:      "42b",       // CSYNC
	63:      "411*",      // ZONEMD
	64:      "2Nv",       // SVCB
	65:      "2Nv",       // HTTPS
	66:      "212n",      // DSYNC
	99:      "t",         // SPF
	104:     "28",        // NID
	105:     "2a",        // L32
	106:     "28",        // L64
	107:     "2n",        // LP
	108:     "6",         // EUI48
	109:     "8",         // EUI64
	249:     "n4422ll",   // TKEY
	250:     "n62l22l",   // TSIG
	256:     "22*",       // URI
	257:     "1s*",       // CAA
	258:     "t",         // AVC
	260:     "1r",        // AMTRELAY
	261:     "t",         // RESINFO
	262:     "t",         // WALLET
}

// checkData reports whether the data of r, the bounds of which are known, is laid out as its type has it, with nothing left over.
func checkData(msg []byte, r *Record) bool {
	switch {
	case r.Type == typeA: // by far the most frequent; a CHAOS address is something else (RFC 1035 3.4.1 is for IN)
		return r.End-r.Data == 4 || r.Class != classIN
	case int(r.Type) >= len(formats) || formats[r.Type] == "":
		return true
	}
	off := r.Data
	msg = msg[:r.End] // so that no field reaches further; pointers lead back anyway
	for _, field := range []byte(formats[r.Type]) {
		if off = fieldEnd(msg, off, field); off < 0 {
			return false
		}
	}
	return off == r.End
}

// fieldEnd returns the offset behind the field at off of data that ends with msg, -1 if it is bad.
func fieldEnd(msg []byte, off int, field byte) int {
	switch field {
	case 'n':
		return goodNameEnd(msg, off)
	case 'N':
		return wholeNameEnd(msg, off)
	case 's':
		return stringEnd(msg, off)
	case 't':
		return stringsEnd(msg, off)
	case 'l':
		if off+2 > len(msg) {
			return -1
		}
		return fixedEnd(msg, off, 2+int(binary.BigEndian.Uint16(msg[off:])))
	case 'b':
		return bitmapEnd(msg, off)
	case 'v':
		return paramsEnd(msg, off)
	case 'o':
		return optionsEnd(msg, off)
	case 'p':
		return prefixesEnd(msg, off)
	case 'g':
		return gatewayEnd(msg, off, 2)
	case 'r':
		return gatewayEnd(msg, off, 1)
	case 'h':
		return hipEnd(msg, off)
	case 'a':
		return fixedEnd(msg, off, 4)
	case 'A':
		return fixedEnd(msg, off, 16)
	case '*':
		return len(msg)
	default:
		return fixedEnd(msg, off, int(field-'0'))
	}
}
