package realtest

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"

	"github.com/miekg/dns"
)

// SignedOrigin is the name of the signed zone.
const SignedOrigin = "signed." + Origin

// signedText is the signed zone before it is signed. The wildcard and the empty
// non-terminal make for the longer proofs; bogus is changed behind the signer's
// back.
const signedText = `$TTL 86400
@ SOA ns.test. hostmaster.test. 1 7200 3600 1209600 7200
@ NS ns.test.
@ A 192.0.2.1
www A 192.0.2.2
www AAAA 2001:db8::2
alias CNAME www
chain CNAME alias
*.wild TXT "synthesized"
deep.empty.terminal MX 10 www
bogus A 192.0.2.3
text TXT "a" "b"
`

// The signatures' times are fixed, so that equal runs make equal zones: 2020
// and 2080, less than the 68 years apart that serial arithmetic allows (RFC 4034 3.1.5).
const (
	inception  = 1577836800
	expiration = 3471292800
)

// SignedZone makes the zone SignedOrigin, signed by one key with an NSEC chain,
// and the DS record that vouches for the key.
func SignedZone() (Zone, *dns.DS, error) {
	z, err := ParseZone(SignedOrigin, signedText)
	if err != nil {
		return Zone{}, nil, err
	}
	private := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	key := publicKey(private)
	z.Records = append(z.Records, key)
	z.Records = append(z.Records, nsecChain(z)...)
	for _, set := range rrsets(z.Records) {
		sig, err := sign(set, key, private)
		if err != nil {
			return Zone{}, nil, err
		}
		z.Records = append(z.Records, sig)
	}
	spoil(z.Records, "bogus."+SignedOrigin)
	return z, key.ToDS(dns.SHA256), nil
}

// spoil changes the addresses of name, so that their signature no longer fits.
func spoil(records []dns.RR, name string) {
	for _, rr := range records {
		if a, ok := rr.(*dns.A); ok && a.Hdr.Name == name {
			a.A[len(a.A)-1]++
		}
	}
}

func publicKey(private ed25519.PrivateKey) *dns.DNSKEY {
	return &dns.DNSKEY{
		Hdr:       dns.RR_Header{Name: SignedOrigin, Rrtype: dns.TypeDNSKEY, Class: dns.ClassINET, Ttl: 86400},
		Flags:     dns.ZONE | dns.SEP,
		Protocol:  3,
		Algorithm: dns.ED25519,
		PublicKey: base64.StdEncoding.EncodeToString(private.Public().(ed25519.PublicKey)),
	}
}

func sign(set []dns.RR, key *dns.DNSKEY, private ed25519.PrivateKey) (*dns.RRSIG, error) {
	sig := &dns.RRSIG{
		Hdr:        dns.RR_Header{Ttl: set[0].Header().Ttl},
		Inception:  inception,
		Expiration: expiration,
		KeyTag:     key.KeyTag(),
		SignerName: key.Hdr.Name,
		Algorithm:  key.Algorithm,
	}
	if err := sig.Sign(private, set); err != nil {
		return nil, fmt.Errorf("sign %s: %w", set[0].Header().Name, err)
	}
	return sig, nil
}
