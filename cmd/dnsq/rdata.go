package main

import (
	"fmt"
	"strings"

	"github.com/miekg/dns"
)

// chunk is the length at which dig breaks keys, signatures and digests.
const chunk = 56

// data is a record's data as dig writes it: what miekg/dns makes of it, brought into dig's form, or the form for unknown types where that cannot read it.
func (m *message) data(r record) string {
	rr, _, err := dns.UnpackRR(m.raw, r.start)
	if err != nil || r.data == r.end {
		return generic(m.raw[r.data:r.end])
	}
	text, ok := strings.CutPrefix(rr.String(), rr.Header().String())
	if _, unknown := rr.(*dns.RFC3597); !ok || unknown || r.typ == dns.TypeNULL {
		return generic(m.raw[r.data:r.end])
	}
	switch r.typ {
	case dns.TypeDNSKEY, dns.TypeCDNSKEY, dns.TypeKEY, dns.TypeRRSIG, dns.TypeSIG, dns.TypeCERT, dns.TypeDHCID, dns.TypeOPENPGPKEY:
		text = breakLast(text)
	case dns.TypeDS, dns.TypeCDS, dns.TypeDLV, dns.TypeTA, dns.TypeTLSA, dns.TypeSMIMEA, dns.TypeSSHFP, dns.TypeZONEMD:
		text = breakLast(strings.ToUpper(text))
	case dns.TypeSVCB, dns.TypeHTTPS:
		text = unquoteParams(text)
	}
	return printable(escapeAsDig(text))
}

// generic is the form for data of unknown types (RFC 3597 5).
func generic(data []byte) string {
	if len(data) == 0 {
		return `\# 0`
	}
	return breakLast(fmt.Sprintf(`\# %d %X`, len(data), data))
}

// breakLast puts a space behind each chunk of the last field.
func breakLast(text string) string {
	last := strings.LastIndexByte(text, ' ') + 1
	var b strings.Builder
	b.WriteString(text[:last])
	for rest := text[last:]; ; {
		if len(rest) <= chunk {
			b.WriteString(rest)
			return b.String()
		}
		b.WriteString(rest[:chunk] + " ")
		rest = rest[chunk:]
	}
}

// unquoteParams takes the quotes from those service parameters that dig writes without.
func unquoteParams(text string) string {
	fields := strings.Split(text, " ")
	for i, f := range fields {
		key, value, ok := strings.Cut(f, "=")
		switch key {
		case "mandatory", "port", "ipv4hint", "ipv6hint", "ech":
			fields[i] = key + "=" + strings.Trim(value, `"`)
		case "no-default-alpn":
			if ok {
				fields[i] = key
			}
		}
	}
	return strings.Join(fields, " ")
}

// escapeAsDig turns miekg/dns's escapes in names into dig's: it knows what stands between quotes as no name.
func escapeAsDig(text string) string {
	out := make([]byte, 0, len(text)+8)
	quoted := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			out = appendEscaped(out, text[i], quoted)
			continue
		case c == '"':
			quoted = !quoted
		case c == '$' && !quoted:
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return string(out)
}

func appendEscaped(out []byte, c byte, quoted bool) []byte {
	switch {
	case c == '\'' && !quoted:
		return append(out, c)
	case c == ' ' && !quoted:
		return append(out, `\032`...)
	}
	return append(out, '\\', c)
}
