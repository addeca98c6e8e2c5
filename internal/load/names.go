package load

import (
	"fmt"

	"github.com/miekg/dns"
)

// typeName is a type's mnemonic, or TYPE and its number (RFC 3597 5).
func typeName(t uint16) string {
	if t == dns.TypeNone || t == dns.TypeReserved { // miekg/dns has words for them that nobody else knows
		return fmt.Sprintf("TYPE%d", t)
	}
	return dns.Type(t).String()
}

// rcodeName is a response code's mnemonic, or RCODE and its number.
func rcodeName(code int) string {
	if code == dns.RcodeBadVers { // also BADSIG's number, which only TSIG uses
		return "BADVERS"
	}
	if s, ok := dns.RcodeToString[code]; ok {
		return s
	}
	return fmt.Sprintf("RCODE%d", code)
}
