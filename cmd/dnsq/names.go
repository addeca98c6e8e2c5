package main

import (
	"fmt"

	"github.com/miekg/dns"
)

// The mnemonics of numbers, dig's.

func typeName(t uint16) string {
	if t == dns.TypeNone || t == dns.TypeReserved { // miekg/dns has words for them that nobody else knows
		return fmt.Sprintf("TYPE%d", t)
	}
	return dns.Type(t).String()
}

func className(c uint16) string {
	if c == dns.ClassCSNET { // as dig, which has forgotten CSNET
		return fmt.Sprintf("CLASS%d", c)
	}
	return dns.Class(c).String()
}

func rcodeName(rcode int) string {
	if rcode == dns.RcodeBadVers { // also BADSIG's number, which only TSIG uses
		return "BADVERS"
	}
	if s, ok := dns.RcodeToString[rcode]; ok {
		return s
	}
	return fmt.Sprintf("RESERVED%d", rcode)
}

func opcodeName(bits uint16) string {
	opcode := int(bits >> 11 & 15)
	if s, ok := dns.OpcodeToString[opcode]; ok {
		return s
	}
	return fmt.Sprintf("RESERVED%d", opcode)
}
