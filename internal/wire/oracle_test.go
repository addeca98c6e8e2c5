package wire_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/wire"
)

func TestQueryIsMiekgs(t *testing.T) {
	for _, name := range []string{".", "com", "www.example.com.", `\000\255\.a.b\\`, strings.Repeat("a.", 127)} {
		for n := range 32 {
			o := wire.QueryOptions{
				RecursionDesired: n&1 != 0,
				AuthenticData:    n&2 != 0,
				CheckingDisabled: n&4 != 0,
				DNSSEC:           n&8 != 0,
				UDPSize:          uint16(n>>4) * 1232,
			}
			m := new(dns.Msg)
			m.SetQuestion(dns.Fqdn(name), dns.TypeHTTPS)
			m.Id = 0
			m.RecursionDesired, m.AuthenticatedData, m.CheckingDisabled = o.RecursionDesired, o.AuthenticData, o.CheckingDisabled
			if o.UDPSize != 0 {
				m.SetEdns0(o.UDPSize, o.DNSSEC)
			}
			want, err := m.Pack()
			if err != nil {
				t.Fatal(err)
			}
			got, err := wire.AppendQuery(nil, name, dns.TypeHTTPS, dns.ClassINET, o)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%q, %+v: %x, %v, want %x", name, o, got, err, want)
			}
			opt, explicit := wire.QueryOPT(want)
			if opt != (o.UDPSize != 0) || explicit != (opt && o.DNSSEC) {
				t.Errorf("%q, %+v: QueryOPT %v, %v", name, o, opt, explicit)
			}
		}
	}
}

// Names of every octet mean the same to both, in either direction.
func TestNamesAreMiekgs(t *testing.T) {
	for c := range 256 {
		want := []byte{2, byte(c), 'a', 3, 'b', byte(c), byte(c), 0}
		text, err := wire.AppendNameText(nil, want, 0)
		if err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 300)
		end, err := dns.PackDomainName(string(text), buf, 0, nil, false)
		if err != nil || !bytes.Equal(buf[:end], want) {
			t.Errorf("%q packs to %x, %v, want %x", text, buf[:end], err, want)
		}
		miekgs, _, err := dns.UnpackDomainName(want, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := wire.AppendName(nil, miekgs); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q appends %x, %v, want %x", miekgs, got, err, want)
		}
	}
}
