package dnstest_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
)

func TestStream(t *testing.T) {
	one := dnstest.A("192.0.2.1")
	octets, err := hex.DecodeString(answer1)
	if err != nil {
		t.Fatal(err)
	}
	good := frame(octets)
	wrong := bytes.Clone(good)
	wrong[3]++
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, tt := range []struct {
		name    string
		h       dnstest.Handler
		queries int
		want    []byte
		reset   bool // how it ends; else in an orderly way
	}{
		{name: "whole frame", h: dnstest.All(one, dnstest.Close), want: good},
		{name: "split", h: dnstest.All(dnstest.Split(1, 0, one), dnstest.Close), want: good},
		{name: "empty frame first", h: dnstest.All(dnstest.Empty, one, dnstest.Close), want: join([]byte{0, 0}, good)},
		{name: "raw octets first", h: dnstest.All(dnstest.Raw([]byte{0}), one, dnstest.Close), want: join([]byte{0}, good)},
		{name: "other ID first", h: dnstest.All(dnstest.WrongID(one), one, dnstest.Close), want: join(wrong, good)},
		{name: "close before the answer", h: dnstest.All(dnstest.Close, one)},
		{name: "close after 20 octets", h: dnstest.CloseAfter(20, one), want: good[:20]},
		{name: "close after 60 octets of two frames", h: dnstest.CloseAfter(60, dnstest.Times(2, one)), want: join(good, good)[:60]},
		{name: "close after the first of two", h: dnstest.All(one, dnstest.Close), queries: 2, want: good},
		{name: "close later", h: dnstest.All(one, dnstest.After(10*time.Millisecond, dnstest.Close)), want: good},
		{name: "reset before the answer", h: dnstest.All(dnstest.Reset, one), reset: true},
		{name: "reset after a whole frame", h: dnstest.All(one, dnstest.Reset), want: good, reset: true},
		{name: "three replies at once", h: dnstest.Gather(3, dnstest.InOrder, dnstest.All(one, dnstest.After(quiet, dnstest.Close))),
			queries: 3, want: join(good, good, good)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := query(t, dns.TypeA, false)
			msgs := [][]byte{q, q, q}[:max(tt.queries, 1)]
			reads, end := stream(t, dnstest.Start(t, tt.h), msgs...)
			if got := bytes.Join(reads, nil); !bytes.Equal(got, tt.want) {
				t.Errorf("octets:\n got %x\nwant %x", got, tt.want)
			}
			if isReset(end) != tt.reset || isTimeout(end) {
				t.Errorf("ended with %v, want reset: %t", end, tt.reset)
			}
		})
	}
}

// What comes after the server has closed is read and ignored.
func TestClosedIsDeaf(t *testing.T) {
	q := query(t, dns.TypeA, false)
	s := dnstest.Start(t, dnstest.Close)
	stream(t, s, q, q)
	time.Sleep(quiet) // for what should not be counted
	if c := s.Counts(); c.TCP != 1 {
		t.Errorf("%d queries handled, want 1", c.TCP)
	}
}

func TestSegments(t *testing.T) {
	const pause = 10 * time.Millisecond
	q := query(t, dns.TypeA, false)
	reads, _ := stream(t, dnstest.Start(t, dnstest.All(
		dnstest.Split(1, pause, dnstest.HeaderOnly(0)), dnstest.Close)), q)
	if len(reads) < 12 { // 14 octets, some may have met on a busy machine
		t.Errorf("split: %d reads, want about 14", len(reads))
	}
	reads, _ = stream(t, dnstest.Start(t, dnstest.All(
		dnstest.OneWrite(dnstest.Times(2, dnstest.HeaderOnly(0))), dnstest.After(pause, dnstest.Close))), q)
	if len(reads) != 1 || len(reads[0]) != 2*14 {
		t.Errorf("one write: reads %x, want one of 28 octets", reads)
	}
}

func TestHang(t *testing.T) {
	s := dnstest.Start(t, dnstest.Silent)
	c := dial(t, "tcp", s)
	c.Write(frame(query(t, dns.TypeA, false)))
	c.SetReadDeadline(time.Now().Add(quiet))
	if _, err := c.Read(make([]byte, 1)); !isTimeout(err) {
		t.Errorf("read: %v, want silence", err)
	}
	s.CloseConns()
	c.SetReadDeadline(time.Now().Add(wait))
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("read after CloseConns: %v, want EOF", err)
	}
	dial(t, "tcp", s)
}

func TestOnAccept(t *testing.T) {
	s := dnstest.Start(t, dnstest.Silent)
	dial(t, "tcp", s)
	s.OnAccept((*dnstest.Writer).Reset)
	c, err := net.Dial("tcp", s.Addr().String())
	if err == nil { // the reset may come before or after Dial's return
		defer c.Close()
		c.SetReadDeadline(time.Now().Add(wait))
		_, err = c.Read(make([]byte, 1))
	}
	if !isReset(err) {
		t.Errorf("dial or read: %v, want a reset", err)
	}
}

// isReset reports whether the connection ended, and not in an orderly way.
func isReset(err error) bool { return err != nil && !errors.Is(err, io.EOF) && !isTimeout(err) }
