package realtest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/realtest"
)

func TestSuffixZone(t *testing.T) {
	zones, _ := zones(t)
	suffix := zones[0]
	owners := make(map[string]int)
	types := make(map[uint16]int)
	for _, rr := range suffix.Records {
		owners[rr.Header().Name]++
		types[rr.Header().Rrtype]++
	}
	if n := len(owners); n < 9500 || n > 12000 {
		t.Errorf("%d owner names, want some 9,500", n)
	}
	for _, typ := range []uint16{
		dns.TypeA, dns.TypeAAAA, dns.TypeMX, dns.TypeTXT, dns.TypeCNAME, dns.TypeSRV, dns.TypeCAA, dns.TypeNAPTR,
		dns.TypePTR, dns.TypeSSHFP, dns.TypeTLSA, dns.TypeHTTPS, dns.TypeSVCB, dns.TypeHINFO, dns.TypeLOC, dns.TypeURI, 65432,
	} {
		if types[typ] < 300 {
			t.Errorf("%d records of %s, want hundreds", types[typ], dns.Type(typ))
		}
	}
	for name, want := range map[string]int{
		"com.test.":            1,
		"*.ck.test.":           1,
		"many.special.test.":   500,
		"link20.special.test.": 1,
		"signed.test.":         2, // NS and DS
	} {
		if owners[name] < want {
			t.Errorf("%d records at %s, want %d", owners[name], name, want)
		}
	}
}

func TestSpecialTextHoldsEveryOctet(t *testing.T) {
	zones, _ := zones(t)
	for _, rr := range zones[0].Records {
		if rr.Header().Name != "octets.special.test." {
			continue
		}
		buf := make([]byte, 1024)
		n, err := dns.PackRR(rr, buf, 0, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		rdata := string(buf[n-256-2 : n])
		for octet := range 256 {
			if !strings.Contains(rdata, string([]byte{byte(octet)})) {
				t.Errorf("octet %d is not in the TXT record", octet)
			}
		}
		return
	}
	t.Error("no octets.special.test.")
}

func TestZonesAreTheSameEachTime(t *testing.T) {
	var text [2]string
	for i := range text {
		zones, _ := zones(t)
		for _, z := range zones {
			path := filepath.Join(t.TempDir(), "zone")
			if err := z.WriteFile(path); err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text[i] += string(b)
		}
	}
	if text[0] != text[1] {
		t.Error("two runs made different zones")
	}
}

func TestSignedZone(t *testing.T) {
	z, anchor, err := realtest.SignedZone()
	if err != nil {
		t.Fatal(err)
	}
	key := find[*dns.DNSKEY](z.Records)[0]
	if got := key.ToDS(dns.SHA256).String(); got != anchor.String() {
		t.Errorf("anchor is %v, the key's DS %s", anchor, got)
	}
	for _, sig := range find[*dns.RRSIG](z.Records) {
		set := slices.DeleteFunc(slices.Clone(z.Records), func(rr dns.RR) bool {
			return rr.Header().Name != sig.Hdr.Name || rr.Header().Rrtype != sig.TypeCovered
		})
		err := sig.Verify(key, set)
		bogus := sig.Hdr.Name == "bogus.signed.test." && sig.TypeCovered == dns.TypeA
		if (err != nil) != bogus {
			t.Errorf("%s %s: verified: %v, bogus: %t", sig.Hdr.Name, dns.Type(sig.TypeCovered), err, bogus)
		}
		if sig.Hdr.Ttl != set[0].Header().Ttl {
			t.Errorf("%s %s: signature's TTL is %d, the set's %d", sig.Hdr.Name, dns.Type(sig.TypeCovered), sig.Hdr.Ttl, set[0].Header().Ttl)
		}
	}
}

// TestNSECChain walks the chain, which must come round through every owner name.
func TestNSECChain(t *testing.T) {
	z, _, err := realtest.SignedZone()
	if err != nil {
		t.Fatal(err)
	}
	next := make(map[string]string)
	for _, nsec := range find[*dns.NSEC](z.Records) {
		next[nsec.Hdr.Name] = nsec.NextDomain
	}
	owners := make(map[string]bool)
	for _, rr := range z.Records {
		owners[rr.Header().Name] = true
	}
	steps, name := 0, realtest.SignedOrigin
	for steps == 0 || name != realtest.SignedOrigin && steps <= len(owners) {
		steps, name = steps+1, next[name]
	}
	if steps != len(owners) {
		t.Errorf("the chain comes round after %d names, want %d", steps, len(owners))
	}
}

// find returns the records of one Go type.
func find[T dns.RR](records []dns.RR) []T {
	var found []T
	for _, rr := range records {
		if r, ok := rr.(T); ok {
			found = append(found, r)
		}
	}
	return found
}
