package backend

import (
	"bytes"
	"net"
	"net/netip"
	"strings"
	"testing"
)

func TestConfig(t *testing.T) {
	v4, v6, mapped := netip.MustParseAddrPort("192.0.2.1:53"), netip.MustParseAddrPort("[2001:db8::1]:53"), netip.MustParseAddrPort("[::ffff:192.0.2.1]:53")
	any4, any6 := netip.MustParseAddrPort("0.0.0.0:0"), netip.MustParseAddrPort("[::]:0")
	for _, tt := range []struct {
		cfg     Config
		network string // "": refused
		bound   bool
	}{
		{Config{}, "udp4", false},
		{Config{Local: v4}, "udp4", true},
		{Config{Local: v6}, "udp6", true},
		{Config{Local: any4}, "udp4", false},
		{Config{Local: any6}, "udp6", false},
		{Config{Local: any4, Remote: v4}, "udp4", false},
		{Config{Remote: v6}, "udp6", false},
		{Config{Remote: mapped}, "udp4", false},
		{Config{Local: v4, Remote: mapped}, "udp4", true},
		{Config{Local: v4, Remote: v6}, "", false},
		{Config{Local: any6, Remote: v4}, "", false},
		{Config{Batch: MaxBatch}, "udp4", false},
		{Config{Batch: MaxBatch + 1}, "", false},
		{Config{Batch: -1}, "", false},
	} {
		asked := tt.cfg.Batch
		if err := tt.cfg.normalize(); err != nil {
			if tt.network != "" {
				t.Errorf("%+v: %v", tt.cfg, err)
			}
			continue
		}
		if got := tt.cfg.network("udp"); got != tt.network || tt.cfg.bound() != tt.bound {
			t.Errorf("%+v: network %q, bound %v, want %q, %v", tt.cfg, got, tt.cfg.bound(), tt.network, tt.bound)
		}
		if tt.cfg.Arena == nil || asked == 0 && tt.cfg.Batch != DefaultBatch {
			t.Errorf("%+v: no defaults", tt.cfg)
		}
	}
}

func TestZonesOfScopes(t *testing.T) {
	ifis, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	var z zones
	ap := netip.MustParseAddrPort("[fe80::1]:53")
	for range 2 { // asked, then remembered
		for _, ifi := range ifis {
			named := z.with(ap, uint32(ifi.Index))
			if got := named.Addr().Zone(); got != ifi.Name || named.Port() != 53 {
				t.Errorf("scope %d is %v, want zone %q", ifi.Index, named, ifi.Name)
			}
			if got := z.scope(named); got != uint32(ifi.Index) {
				t.Errorf("zone %q is scope %d, want %d", ifi.Name, got, ifi.Index)
			}
		}
		if got := z.with(ap, 0); got != ap {
			t.Errorf("no scope: %v, want %v", got, ap)
		}
		if got := z.with(ap, 4_000_000_000).Addr().Zone(); got != "4000000000" {
			t.Errorf("a scope without an interface is zone %q, want its number", got)
		}
		for zone, want := range map[string]uint32{"77777": 77777, "no such interface": 0, "": 0} {
			if got := z.scope(netip.AddrPortFrom(ap.Addr().WithZone(zone), 53)); got != want {
				t.Errorf("zone %q is scope %d, want %d", zone, got, want)
			}
		}
	}
}

// TestQueue moves the ring round while it grows.
func TestQueue(t *testing.T) {
	var q queue
	pushed, popped := 0, 0
	for round := range 50 {
		for range round%7 + 1 {
			q.push(Datagram{Data: []byte{byte(pushed)}, Truncated: pushed%2 == 0})
			pushed++
		}
		for range round % 6 {
			if d := q.pop(); !bytes.Equal(d.Data, []byte{byte(popped)}) || d.Truncated != (popped%2 == 0) {
				t.Fatalf("popped %v, truncated %v, want %d", d.Data, d.Truncated, popped)
			}
			popped++
		}
		if q.len() != pushed-popped {
			t.Fatalf("%d left, want %d", q.len(), pushed-popped)
		}
		for i := range q.len() {
			if d := q.at(i); d.Data[0] != byte(popped+i) {
				t.Fatalf("at %d is %d, want %d", i, d.Data[0], byte(popped+i))
			}
		}
	}
}

func TestTake(t *testing.T) {
	a := NewArena()
	for _, size := range []int{0, 3, 4, 5, 65535} {
		data := []byte(strings.Repeat("x", size))
		d := Datagram{Buf: make([]byte, 4), Err: net.ErrClosed, Truncated: true}
		long := d.take(Datagram{Data: data}, a)
		if long != (size > 4) || !bytes.Equal(d.Data, data) || d.Err != nil || d.Truncated {
			t.Errorf("%d octets into 4: long %v, %d octets, error %v, truncated %v", size, long, len(d.Data), d.Err, d.Truncated)
		}
	}
}
