package dnstest_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/backend/backendtest"
	"github.com/dnsq/dnsq/internal/dnstest"
)

// inMemory runs f in a bubble, with a server on an in-memory network.
func inMemory(t *testing.T, h dnstest.Handler, f func(t *testing.T, n *backendtest.Network, s *dnstest.Server)) {
	synctest.Test(t, func(t *testing.T) {
		n := backendtest.NewNetwork()
		t.Cleanup(func() { n.Close() })
		addr := netip.MustParseAddrPort("192.0.2.53:53")
		pc, err := n.ListenPacket(addr)
		if err != nil {
			t.Fatal(err)
		}
		ln, err := n.Listen(addr)
		if err != nil {
			t.Fatal(err)
		}
		f(t, n, dnstest.StartOn(t, pc, ln, h))
	})
}

func TestInMemoryDatagrams(t *testing.T) {
	h := dnstest.All(dnstest.After(2*time.Hour, dnstest.Rcode(2)), dnstest.After(time.Hour, dnstest.Rcode(1)), dnstest.A("192.0.2.1"))
	inMemory(t, h, func(t *testing.T, n *backendtest.Network, s *dnstest.Server) {
		pc, err := n.ListenPacket(netip.MustParseAddrPort("192.0.2.1:1024"))
		if err != nil {
			t.Fatal(err)
		}
		defer pc.Close()
		start := time.Now()
		if _, err := pc.WriteTo(query(t, dns.TypeA, false), net.UDPAddrFromAddrPort(s.Addr())); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			buf := make([]byte, 512)
			k, from, err := pc.ReadFrom(buf)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := time.Since(start), time.Duration(i)*time.Hour; got != want || buf[3]&0xf != byte(i) || from.String() != s.Addr().String() {
				t.Errorf("reply %d: %x from %v after %v, want code %d from %v after %v", i, buf[:k], from, got, i, s.Addr(), want)
			}
		}
		if c := s.Counts(); c != (dnstest.Counts{UDP: 1}) {
			t.Errorf("Counts() = %+v, want one over UDP", c)
		}
	})
}

func TestInMemoryStream(t *testing.T) {
	octets, err := hex.DecodeString(answer1)
	if err != nil {
		t.Fatal(err)
	}
	good := frame(octets)
	for _, tt := range []struct {
		name string
		h    dnstest.Handler
		want []byte
		end  error
	}{
		{"close", dnstest.All(dnstest.Split(1, time.Minute, dnstest.A("192.0.2.1")), dnstest.Close), good, io.EOF},
		{"reset", dnstest.Reset, nil, backend.ErrReset},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inMemory(t, tt.h, func(t *testing.T, n *backendtest.Network, s *dnstest.Server) {
				got, end := exchange(t, n, s, frame(query(t, dns.TypeA, false)))
				if !bytes.Equal(got, tt.want) || !errors.Is(end, tt.end) {
					t.Errorf("got %x, %v; want %x, %v", got, end, tt.want, tt.end)
				}
			})
		})
	}
}

// exchange sends octets over a stream and reads to its end.
func exchange(t *testing.T, n *backendtest.Network, s *dnstest.Server, octets []byte) (got []byte, end error) {
	t.Helper()
	ready := make(chan struct{}, 1)
	c, err := n.Backend().Dial(backend.Config{Remote: s.Addr(), Notify: func() {
		select {
		case ready <- struct{}{}:
		default:
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for len(octets) > 0 {
		<-ready
		k, err := c.Write(octets)
		if err != nil {
			return nil, err
		}
		octets = octets[k:]
	}
	buf := make([]byte, 512)
	for {
		k, err := c.Read(buf)
		got = append(got, buf[:k]...)
		if err != nil {
			return got, err
		}
		if k == 0 {
			<-ready
		}
	}
}
