package realtest

import (
	"fmt"
	"strings"
)

// apex starts the zone made of public suffixes. TTLs are long: none may run out
// in a caching server while the test lasts.
const apex = `$TTL 86400
@ SOA ns hostmaster 1 7200 3600 1209600 7200
@ NS ns
@ NS ns2
@ MX 10 ns
ns A 127.0.0.1
ns AAAA ::1
ns2 A 127.0.0.1
`

const (
	digest = "d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb10661{hex}0"
	public = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHw=="
)

// contents is what an owner name may hold, dealt out to the names in turn:
// {n} is a number from 1 to 254, {hex} four hexadecimal digits and {target}
// another owner name.
func contents() [][]string {
	return [][]string{
		{"A 192.0.2.{n}"},
		{"300 A 192.0.2.{n}", "300 A 198.51.100.{n}", "600 AAAA 2001:db8::{hex}"},
		{"AAAA 2001:db8::{n}:{hex}"},
		{"MX 10 {target}", "MX 20 ns", `TXT "v=spf1 ip4:192.0.2.{n} -all"`},
		{"CNAME {target}"},
		{"SRV 1 {n} 443 {target}", "SRV 2 0 8443 ns"},
		{`TXT "one" "two; \"three\"" "" "{hex}"`, "A 203.0.113.{n}"},
		{"PTR {target}"},
		{`CAA 0 issue "ca.test; account={n}"`, `CAA 128 iodef "mailto:a@ca.test"`},
		{`NAPTR 100 {n} "S" "SIP+D2U" "!^.*$!sip:{hex}@ns.test!" .`, `NAPTR 100 50 "U" "" "" {target}`},
		{"SSHFP 4 2 " + digest, "A 192.0.2.{n}"},
		{"TLSA 3 1 1 " + digest},
		{`HTTPS 1 . alpn="h2,h3" port={n} ipv4hint=192.0.2.{n} ipv6hint=2001:db8::{hex}`, "A 192.0.2.{n}"},
		{`SVCB 2 {target} mandatory=alpn alpn=dot key65400="{hex}"`, "SVCB 0 ns"},
		{`HINFO "cpu-{n}" "os {hex}"`},
		{"LOC 51 30 12.748 N 0 7 39.612 W {n}m 1m 10000m 10m"},
		{`URI 10 {n} "https://www.test/{hex}"`},
		{`TYPE65432 \# 4 dead{hex}`, `TYPE65432 \# 0`},
		{"RP {target} txt.{target}", "AFSDB 1 {target}"},
		{"KX {n} {target}", "EUI48 00-00-5e-00-53-2a", "EUI64 00-00-5e-ef-10-00-00-2a"},
		{"CERT 1 {n} 13 " + public, "OPENPGPKEY " + public},
		{"SMIMEA 3 1 1 " + digest, "CSYNC 66 3 A NS AAAA"},
		{"DHCID " + public, "APL 1:192.168.{n}.0/24 !1:192.168.{n}.64/28 2:2001:db8::/32"},
	}
}

// special is what no suffix holds: what is too big for UDP, what servers cut
// short, names that need escapes, aliases, synthesis and a delegation.
func special() string {
	var text strings.Builder
	text.WriteString("$ORIGIN special." + Origin + "\n")
	for i := range 500 {
		fmt.Fprintf(&text, "many A 10.0.%d.%d\n", i/250, i%250+1)
	}
	fmt.Fprintf(&text, "octets TXT %s %s\n", octets(0, 128), octets(128, 256))
	fmt.Fprintf(&text, "big TXT%s\n", strings.Repeat(` "`+strings.Repeat("x", 255)+`"`, 60))
	for i := range chainLinks {
		fmt.Fprintf(&text, "link%d CNAME link%d\n", i, i+1)
	}
	fmt.Fprintf(&text, "link%d A 192.0.2.1\n", chainLinks)
	text.WriteString(odd)
	return text.String()
}

const chainLinks = 20

// odd has a record for each oddity; the names tell which. signed is a zone of
// its own below, see SignedZone; delegated leads nowhere.
const odd = `
dname DNAME tree
one.tree A 192.0.2.1
*.wild A 192.0.2.2
*.wild TXT "synthesized"
not.wild AAAA 2001:db8::1
*.alias CNAME link0
deep.empty.non.terminal A 192.0.2.3
a\.dot A 192.0.2.4
sp\032ace TXT "space"
\000\001\127\128\255 TXT "octets"
\"quo\;te\(\) TXT "escapes"
MiXeD TXT "case"
aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa A 192.0.2.5
loop0 CNAME loop1
loop1 CNAME loop0
self CNAME self
dangling CNAME nowhere
delegated NS ns.delegated
ns.delegated A 127.0.0.1
ns.delegated AAAA ::1
$ORIGIN test.
signed NS ns
`

// octets returns the character-string of the octets from first up to limit.
func octets(first, limit int) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := first; i < limit; i++ {
		fmt.Fprintf(&b, `\%03d`, i)
	}
	b.WriteByte('"')
	return b.String()
}
