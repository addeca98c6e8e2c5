package resolver

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/wire"
)

// TestSlab: nothing of one query's way is left for the next, whose memory it is.
func TestSlab(t *testing.T) {
	var s slab
	var taken []*pending
	for i := range 3*chunk + 1 {
		p := s.take()
		if p.number != number(i+1) || s.at(p.number) != p {
			t.Fatalf("query %d has number %d, which finds itself: %v", i, p.number, s.at(p.number) == p)
		}
		taken = append(taken, p)
	}
	p := taken[chunk]
	p.msg = append(p.msg, bytes.Repeat([]byte("query"), 20)...)
	p.edns, p.explicit, p.plain, p.done = true, true, true, true
	s.put(p)
	if again := s.take(); again != p {
		t.Fatal("what is free is not used again")
	}
	if len(p.msg) != 0 || cap(p.msg) < 100 || p.edns || p.explicit || p.plain || p.done || p.next != nil {
		t.Errorf("there is left %+v", p)
	}
}

// TestPast: neither is anything of its attempts.
func TestPast(t *testing.T) {
	e := &Engine{known: make([]*server, 2)}
	p := &pending{q: &Query{engine: e}, server: &server{}, index: 1}
	h := p.remember()
	if !slices.Equal(h.tries, []int32{0, 1}) || p.remember() != h {
		t.Fatalf("the past begins with the tries %v", h.tries)
	}
	h.tries[0], h.giveUp, h.misses, h.pauses, h.redialed = excluded, 1, 2, 3, true
	h.best = response{attempt: attempt{rcode: 5}, msg: []byte("reply"), trailing: 1, listed: true}
	p.record(attempt{server: p.server, err: ErrTimeout})
	e.forget(p)
	if p.past != nil {
		t.Fatal("it is not forgotten")
	}
	p.server = nil
	if p.remember() != h {
		t.Fatal("its memory is not used again")
	}
	clean := past{tries: []int32{0, 0}, attempts: []attempt{}, best: response{msg: []byte{}}}
	if !reflect.DeepEqual(*h, clean) || cap(h.attempts) == 0 || cap(h.best.msg) == 0 {
		t.Errorf("there is left %+v", h)
	}
	if old := h.attempts[:1]; old[0] != (attempt{}) {
		t.Errorf("an attempt keeps %+v alive", old)
	}
}

// TestSizes: a query outstanding is to take 400 octets in all, its name and its socket's table included.
func TestSizes(t *testing.T) {
	for _, tt := range []struct {
		of   reflect.Type
		most uintptr
	}{
		{reflect.TypeFor[pending](), 200},
		{reflect.TypeFor[Query](), 120},
		{reflect.TypeFor[idSlot](), 8},
		{reflect.TypeFor[completion](), 80},
	} {
		if size := tt.of.Size(); size > tt.most {
			t.Errorf("%v takes %d octets, at most %d wanted", tt.of, size, tt.most)
		}
	}
}

// TestCouple: equal lengths come together, and each message stays with its query.
func TestCouple(t *testing.T) {
	for _, lengths := range [][]int{{}, {3}, {3, 3}, {3, 5, 3, 4, 5}, {1, 2, 3}, {2, 1, 2, 1, 2, 1}} {
		e := &Engine{out: make([]backend.Datagram, len(lengths)), sending: make([]*pending, len(lengths))}
		for i, n := range lengths {
			p := &pending{msg: bytes.Repeat([]byte{byte(i)}, n)}
			e.out[i].Data, e.sending[i] = p.msg, p
		}
		e.couple(len(lengths))
		var got []int
		for i, d := range e.out {
			got = append(got, len(d.Data))
			if p := e.sending[i]; &p.msg[0] != &d.Data[0] {
				t.Errorf("%v: slot %d has another query's message", lengths, i)
			}
		}
		runs := len(slices.Compact(slices.Clone(got)))
		slices.Sort(lengths)
		slices.Sort(got)
		if !slices.Equal(got, lengths) || runs != len(slices.Compact(lengths)) {
			t.Errorf("%d runs of the lengths %v", runs, got)
		}
	}
}

// TestMatchHeader looks at what the header alone decides. What is behind it is the vectors' matter.
func TestMatchHeader(t *testing.T) {
	query, err := wire.AppendQuery(nil, "www.example.com", 1, 1, wire.QueryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		bits   uint16
		qd     byte
		length int
		cut    bool
		flags  Flags
		want   verdict
	}{
		{bits: 0x8005, qd: 0, length: 12, want: accepted}, // REFUSED, a bare header
		{bits: 0x8000, qd: 0, length: 12, want: forged},
		{bits: 0x8005, qd: 1, length: 12, want: forged},
		{bits: 0x8005, qd: 0, want: forged},
		{bits: 0x0005, qd: 0, length: 12, want: forged}, // a query
		{bits: 0x8000, qd: 1, want: accepted},
		{bits: 0x0000, qd: 1, want: forged},
		{bits: 0x8800, qd: 1, want: forged}, // another opcode
		{bits: 0xC000, qd: 1, want: forged},
		{bits: 0x8200, qd: 1, want: truncated},
		{bits: 0x8000, qd: 1, cut: true, want: truncated},
		{bits: 0x8200, qd: 1, flags: IgnoreTruncation, want: accepted},
		{bits: 0x8200, qd: 2, want: forged},
	} {
		t.Run(fmt.Sprintf("%04x qd=%d length=%d cut=%v flags=%d", tt.bits, tt.qd, tt.length, tt.cut, tt.flags), func(t *testing.T) {
			reply := slices.Clone(query)
			reply[2], reply[3], reply[5] = byte(tt.bits>>8), byte(tt.bits), tt.qd
			if tt.length > 0 {
				reply = reply[:tt.length]
			}
			p := &pending{msg: query, q: &Query{Flags: tt.flags}}
			var info wire.Info
			if got := p.match(reply, UDP, tt.cut, &info); got != tt.want {
				t.Errorf("match = %d, want %d", got, tt.want)
			}
			if tt.want == accepted && (info.Rcode != tt.bits&15 || info.End != len(reply) || info.Bits != tt.bits) {
				t.Errorf("learned %+v", info)
			}
		})
	}
}
