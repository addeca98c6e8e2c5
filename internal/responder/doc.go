// Package responder is a small authoritative name server over UDP and TCP for tests, demonstrations and measurements. It serves the zones
// of zone.txt, which are built into it:
//
//	example.com.                  one of everything: addresses, MX, TXT, SRV, CAA, alias chains, a wildcard, odd octets
//	big.example.com.              100 addresses: too big for the usual EDNS size, so the answer comes over TCP
//	huge.example.com.             512 addresses: too big for any UDP size in use
//	<any name>.any.test.          exists: A 192.0.2.1, AAAA 2001:db8::1, TXT
//	2.0.192.in-addr.arpa., …      the addresses' names, two of them hostile to terminals
//
// Other names are refused. Every reply is packed when the zones are loaded; answering a query is one map lookup and a copy.
//
// It ignores responses and what is shorter than a header, answers FORMERR to garbage, NOTIMP to other opcodes and BADVERS to other versions
// of EDNS, honours the client's EDNS size (TC and empty sections where the answer does not fit) and repeats its DO bit. It signs nothing.
package responder
