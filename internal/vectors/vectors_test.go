package vectors_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/vectors"
)

const typeA, typeAAAA = 1, 28

func TestLoad(t *testing.T) {
	all := vectors.Load(t)
	if len(all) != 84 {
		t.Errorf("%d vectors, want 84", len(all))
	}
	if !slices.IsSortedFunc(all, func(a, b *vectors.Vector) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("not in the order of IDs")
	}
	wants := []vectors.Want{vectors.Answer, vectors.Drop, vectors.Next, vectors.NoEDNS, vectors.TCP, vectors.Cookie}
	lookups := []vectors.Lookup{vectors.Addresses, vectors.NoData, vectors.NXDomain, vectors.Loop, vectors.Chain, vectors.Failure}
	laters := []vectors.Later{"", vectors.Cookies, vectors.Cache, vectors.HostNames}
	for _, v := range all {
		address := v.Type == typeA || v.Type == typeAAAA
		switch {
		case v.Src == "" || v.Right == "" || v.Name == "":
			t.Errorf("%s: a text is missing", v.ID)
		case v.Transport != "udp" && v.Transport != "tcp":
			t.Errorf("%s: transport %q", v.ID, v.Transport)
		case !slices.Contains(wants, v.Want) || !slices.Contains(wants, v.WantTCP):
			t.Errorf("%s: want %q, over TCP %q", v.ID, v.Want, v.WantTCP)
		case address != slices.Contains(lookups, v.Lookup) || !address && v.Lookup != "":
			t.Errorf("%s: type %d with lookup %q", v.ID, v.Type, v.Lookup)
		case (v.Lookup == vectors.Addresses) != (len(v.Addresses) > 0):
			t.Errorf("%s: lookup %q with %d addresses", v.ID, v.Lookup, len(v.Addresses))
		case v.Want != vectors.Answer && address && v.Lookup != vectors.Failure:
			t.Errorf("%s: lookup %q from a message that is not delivered", v.ID, v.Lookup)
		case !slices.Contains(laters, v.Later):
			t.Errorf("%s: later %q", v.ID, v.Later)
		}
	}
}

func TestAddressRange(t *testing.T) {
	for _, v := range vectors.Load(t) {
		if v.ID != "V88" {
			continue
		}
		n := len(v.Addresses)
		if n != 4000 || v.Addresses[0].String() != "198.18.0.0" || v.Addresses[n-1].String() != "198.18.15.159" {
			t.Errorf("%d addresses, %v to %v", n, v.Addresses[0], v.Addresses[n-1])
		}
	}
}

func TestMessage(t *testing.T) {
	for _, v := range vectors.Load(t) {
		a, b := v.Message(0xABCD), v.Message(0x1234)
		if len(a) != len(b) {
			t.Fatalf("%s: lengths %d and %d", v.ID, len(a), len(b))
		}
		if len(a) >= 2 && (a[0] != 0xAB || a[1] != 0xCD || b[0] != 0x12 || b[1] != 0x34) {
			t.Errorf("%s: IDs %x and %x", v.ID, a[:2], b[:2])
		}
	}
}
