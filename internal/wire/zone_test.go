package wire_test

import (
	"strings"
	"testing"

	"github.com/miekg/dns"
)

// zone has records of all common types; names in them repeat, so that a packer finds what to compress.
const zone = `
www.example.com.  60 IN A 192.0.2.1
www.example.com.  60 IN AAAA 2001:db8::1
ftp.example.com.  60 IN CNAME www.example.com.
d.example.com.    60 IN DNAME example.net.
example.com.      60 IN NS ns1.example.com.
example.com.      60 IN SOA ns1.example.com. host.example.com. 1 2 3 4 5
example.com.      60 IN MX 10 mail.example.com.
example.com.      60 IN MX 0 .
1.2.0.192.in-addr.arpa. 60 IN PTR www.example.com.
_dns._udp.example.com.  60 IN SRV 10 20 53 ns1.example.com.
example.com.      60 IN NAPTR 1 2 "S" "SIP+D2U" "!^.*$!sip:a@example.com!" _sip._udp.example.com.
example.com.      60 IN NAPTR 1 2 "" "" "" .
example.com.      60 IN TXT "v=sp1" "-all"
example.com.      60 IN TXT ""
example.com.      60 IN SPF "v=spf1 -all"
example.com.      60 IN HINFO "PC" "Linux"
example.com.      60 IN MINFO a.example.com. b.example.com.
example.com.      60 IN RP a.example.com. b.example.com.
example.com.      60 IN AFSDB 1 afs.example.com.
example.com.      60 IN RT 1 rt.example.com.
example.com.      60 IN X25 311061700956
example.com.      60 IN ISDN "150862028003217" "004"
example.com.      60 IN PX 10 a.example.com. b.example.com.
example.com.      60 IN KX 10 kx.example.com.
example.com.      60 IN GPOS -32.6882 116.8652 10.0
example.com.      60 IN LOC 42 21 54 N 71 06 18 W -24m 30m
example.com.      60 IN MB a.example.com.
example.com.      60 IN MG a.example.com.
example.com.      60 IN MR a.example.com.
example.com.      60 IN MF a.example.com.
example.com.      60 IN MD a.example.com.
example.com.      60 IN NSAP-PTR a.example.com.
example.com.      60 IN CERT 1 2 3 AQID
example.com.      60 IN APL 1:192.0.2.0/24 !2:2001:db8::/32
example.com.      60 IN DS 12345 8 2 49FD46E6C4B45C55D4AC69CBD3CD34AC1AFE51DE0123456789ABCDEF01234567
example.com.      60 IN CDS 12345 8 2 49FD46E6C4B45C55D4AC69CBD3CD34AC1AFE51DE0123456789ABCDEF01234567
example.com.      60 IN DLV 12345 8 2 49FD46E6C4B45C55D4AC69CBD3CD34AC1AFE51DE0123456789ABCDEF01234567
example.com.      60 IN DNSKEY 257 3 8 AQID
example.com.      60 IN CDNSKEY 257 3 8 AQID
example.com.      60 IN KEY 257 3 8 AQID
example.com.      60 IN RRSIG A 8 2 60 20300101000000 20260101000000 12345 example.com. AQID
example.com.      60 IN SIG A 8 2 60 20300101000000 20260101000000 12345 example.com. AQID
example.com.      60 IN NSEC www.example.com. A NS SOA TYPE65432
example.com.      60 IN NXT www.example.com. A NS
0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.example.com. 60 IN NSEC3 1 1 12 aabbccdd 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR A RRSIG
0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.example.com. 60 IN NSEC3 1 1 0 - 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR
example.com.      60 IN NSEC3PARAM 1 0 12 aabbccdd
example.com.      60 IN CSYNC 66 3 A NS AAAA
example.com.      60 IN ZONEMD 2018031500 1 1 616c6c6f77656420696e6469766964756c6420696e646976696475
example.com.      60 IN SSHFP 2 1 123456789abcdef67890123456789abcdef67890
_443._tcp.example.com. 60 IN TLSA 3 1 1 0123456789abcdef
a._smimecert.example.com. 60 IN SMIMEA 3 1 1 0123456789abcdef
example.com.      60 IN OPENPGPKEY AQID
example.com.      60 IN DHCID AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=
example.com.      60 IN IPSECKEY 10 0 2 . AQID
example.com.      60 IN IPSECKEY 10 1 2 192.0.2.38 AQID
example.com.      60 IN IPSECKEY 10 2 2 2001:db8::38 AQID
example.com.      60 IN IPSECKEY 10 3 2 gateway.example.com. AQID
example.com.      60 IN AMTRELAY 10 0 0 .
example.com.      60 IN AMTRELAY 10 0 1 192.0.2.38
example.com.      60 IN AMTRELAY 10 0 2 2001:db8::38
example.com.      60 IN AMTRELAY 10 0 3 relay.example.com.
example.com.      60 IN HIP 2 200100107b1a74df365639cc39f1d578 AwEA
example.com.      60 IN HIP 2 200100107b1a74df365639cc39f1d578 AwEA rvs.example.com. rvs2.example.com.
example.com.      60 IN TALINK a.example.com. b.example.com.
example.com.      60 IN NINFO "a" "b"
example.com.      60 IN RKEY 0 3 8 AQID
example.com.      60 IN UINFO "a"
example.com.      60 IN NID 10 0014:4fff:ff20:ee64
example.com.      60 IN L32 10 192.0.2.1
example.com.      60 IN L64 10 2001:0DB8:1140:1000
example.com.      60 IN LP 10 l64.example.com.
example.com.      60 IN EUI48 00-00-5e-00-53-2a
example.com.      60 IN EUI64 00-00-5e-ef-10-00-00-2a
example.com.      60 IN URI 10 1 "https://www.example.com/"
example.com.      60 IN CAA 0 issue "ca.example.net"
example.com.      60 IN CAA 128 issuewild ""
example.com.      60 IN AVC "a" "b"
example.com.      60 IN RESINFO "qnamemin" "exterr=15-17"
_8443._foo.example.com. 60 IN SVCB 0 svc4.example.net.
example.com.      60 IN SVCB 1 . mandatory=alpn,port alpn=h2,h3 no-default-alpn port=8443 ipv4hint=192.0.2.1,192.0.2.2 ech="AQID" ipv6hint=2001:db8::1 key65000=a
example.com.      60 IN HTTPS 1 . alpn=h3 dohpath=/dns-query{?dns} ohttp
example.com.      60 IN TYPE65432 \# 0
example.com.      60 IN TYPE65432 \# 3 c00cff
version.bind.     0 CH TXT "dnsq"
`

// records returns the zone's, one after another.
func records(tb testing.TB) []dns.RR {
	tb.Helper()
	var all []dns.RR
	for line := range strings.Lines(zone) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		rr, err := dns.NewRR(line)
		if err != nil {
			tb.Fatalf("%s: %v", line, err)
		}
		all = append(all, rr)
	}
	return all
}
