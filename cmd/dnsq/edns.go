package main

import (
	"encoding/binary"
	"fmt"

	"github.com/miekg/dns"
)

// appendOPT writes what the OPT record says (RFC 6891).
func (m *message) appendOPT(out []byte) []byte {
	if m.opt == nil {
		return out
	}
	ttl := m.opt.ttl
	out = fmt.Appendf(out, ";; OPT PSEUDOSECTION:\n; EDNS: version: %d, flags:", ttl>>16&0xff)
	if ttl&0x8000 != 0 {
		out = append(out, " do"...)
	}
	out = append(out, ';')
	if mbz := ttl & 0x7fff; mbz != 0 {
		out = fmt.Appendf(out, " MBZ: 0x%04x,", mbz)
	}
	out = fmt.Appendf(out, " udp: %d\n", m.opt.class)
	for data := m.raw[m.opt.data:m.opt.end]; len(data) >= 4; {
		code, n := binary.BigEndian.Uint16(data), int(binary.BigEndian.Uint16(data[2:]))
		if data = data[4:]; n > len(data) {
			break
		}
		out = appendEDNSOption(out, code, data[:n])
		data = data[n:]
	}
	return out
}

func appendEDNSOption(out []byte, code uint16, data []byte) []byte {
	switch {
	case code == dns.EDNS0EDE && len(data) >= 2:
		return appendEDE(out, binary.BigEndian.Uint16(data), data[2:])
	case code == dns.EDNS0COOKIE:
		return fmt.Appendf(out, "; COOKIE: %x\n", data)
	case code == dns.EDNS0NSID:
		out = append(out, "; NSID:"...)
	default:
		out = fmt.Appendf(out, "; OPT=%d:", code)
	}
	if len(data) == 0 {
		return append(out, '\n')
	}
	out = fmt.Appendf(out, " % x (\"", data)
	return append(appendDotted(out, data), "\")\n"...)
}

// appendEDE writes an extended error (RFC 8914): its number, meaning and text.
func appendEDE(out []byte, info uint16, text []byte) []byte {
	out = fmt.Appendf(out, "; EDE: %d", info)
	if meaning, ok := dns.ExtendedErrorCodeToString[info]; ok {
		out = fmt.Appendf(out, " (%s)", meaning)
	}
	if len(text) > 0 {
		out = append(appendDotted(append(out, ": ("...), text), ')')
	}
	return append(out, '\n')
}

// appendDotted writes a dot for what is not printable, as dig does here.
func appendDotted(out, data []byte) []byte {
	for _, c := range data {
		if c < ' ' || c > '~' {
			c = '.'
		}
		out = append(out, c)
	}
	return out
}
