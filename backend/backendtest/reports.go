package backendtest

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
)

func errorSentences() []sentence {
	return []sentence{
		{"an ICMP error to a connected socket comes out of Recv", testReport},
		{"an ICMP error to an unconnected socket comes with its destination and octets", testReportUnconnected},
		{"an error the network has reported is not mistaken for one of batch[n]", testPendingError},
		{"an error that a send saw comes with the next Recv", testNothingPending},
		{"errors do not hide datagrams", testErrorsAndDatagrams},
	}
}

func testReport(t *testing.T, h *harness) {
	dead := h.dead(t)
	s := h.open(t, backend.Config{Remote: dead})
	s.sendAll(t, []backend.Datagram{{Data: []byte("query")}})
	d := s.collect(t, 1)[0]
	if !errors.Is(d.Err, backend.ErrRefused) || d.Addr != dead || d.Truncated {
		t.Errorf("got error %v about %v, truncated %v, want %v about %v", d.Err, d.Addr, d.Truncated, backend.ErrRefused, dead)
	}
	if _, ok := errors.AsType[*os.SyscallError](d.Err); !ok && !h.memory() {
		t.Errorf("%v does not wrap an os.SyscallError", d.Err)
	}
	if h.queues(s) && string(d.Data) != "query" {
		t.Errorf("the report has the octets %q, want %q", d.Data, "query")
	}
	// The socket goes on, and what a send saw is not lost.
	for range 2 {
		s.sendAll(t, []backend.Datagram{{Data: []byte("query")}})
		time.Sleep(settle)
	}
	for _, d := range s.collect(t, 2) {
		if !errors.Is(d.Err, backend.ErrRefused) {
			t.Errorf("got error %v, want %v", d.Err, backend.ErrRefused)
		}
	}
}

func testReportUnconnected(t *testing.T, h *harness) {
	s := h.open(t, backend.Config{})
	if !h.queues(s) {
		t.Log("this system tells connected sockets alone")
		return
	}
	sent := numbered(4, 300, h.dead(t))
	sent[2].Addr, sent[3].Addr = h.dead(t), h.dead(t)
	for i := range sent { // one at a time, for a pending error shows in the middle of a batch as well
		s.sendAll(t, sent[i:i+1])
	}
	for i, d := range s.collect(t, len(sent)) {
		if !errors.Is(d.Err, backend.ErrRefused) || d.Addr != sent[i].Addr || !bytes.HasPrefix(sent[i].Data, d.Data) || len(d.Data) < 2 {
			t.Errorf("report %d: %v about %v, %d octets, want %v about %v", i, d.Err, d.Addr, len(d.Data), backend.ErrRefused, sent[i].Addr)
		}
	}
}

func testPendingError(t *testing.T, h *harness) {
	s, good := h.open(t, backend.Config{}), h.open(t, backend.Config{})
	dead := h.dead(t)
	const rounds = 20
	for range rounds {
		s.sendAll(t, []backend.Datagram{{Data: []byte("lost"), Addr: dead}})
		time.Sleep(settle / 10)
		batch := []backend.Datagram{{Data: []byte("one"), Addr: good.LocalAddr()}, {Data: []byte("two"), Addr: good.LocalAddr()}}
		if n, err := s.Send(batch); n != 2 || err != nil {
			t.Fatalf("Send to a good server = %d, %v, want 2, nil", n, err)
		}
	}
	good.collect(t, 2*rounds)
	if !h.queues(s) {
		return
	}
	for _, d := range s.collect(t, rounds) {
		if d.Err == nil || d.Addr != dead || string(d.Data) != "lost" {
			t.Fatalf("got %v about %q to %v, want an error about %q to %v", d.Err, d.Data, d.Addr, "lost", dead)
		}
	}
}

// testNothingPending has a send see the pending error: the report is still queued, and comes with the next Recv though there is a datagram.
func testNothingPending(t *testing.T, h *harness) {
	s := h.open(t, backend.Config{})
	if !h.queues(s) {
		t.Log("this system tells connected sockets alone")
		return
	}
	s.sendAll(t, []backend.Datagram{{Data: []byte("lost"), Addr: h.dead(t)}})
	time.Sleep(settle)
	s.sendAll(t, []backend.Datagram{{Data: []byte("found"), Addr: s.LocalAddr()}})
	time.Sleep(settle)
	for _, want := range []int{2, 0} {
		n, dry, err := s.Recv(newBatch(8, slot))
		if n != want || !dry || err != nil {
			t.Errorf("Recv = %d, %v, %v, want %d, true, nil", n, dry, err, want)
		}
	}
}

func testErrorsAndDatagrams(t *testing.T, h *harness) {
	s, good := h.open(t, backend.Config{}), h.open(t, backend.Config{})
	dead := h.dead(t)
	const rounds = 10
	for range rounds {
		s.sendAll(t, []backend.Datagram{{Data: []byte("lost"), Addr: dead}})
		good.sendAll(t, []backend.Datagram{{Data: []byte("reply"), Addr: s.LocalAddr()}})
	}
	want := rounds
	if h.queues(s) {
		want *= 2
	}
	time.Sleep(settle)
	replies := 0
	for _, d := range s.collect(t, want) {
		if d.Err == nil {
			replies++
		}
	}
	if replies != rounds {
		t.Errorf("%d replies among %d entries, want %d", replies, want, rounds)
	}
}
