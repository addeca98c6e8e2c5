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

// TestReset: nothing of one query's way is left for the next.
func TestReset(t *testing.T) {
	p := &pending{
		msg: []byte("query"), tries: []int32{1, excluded}, attempts: make([]attempt, 2), saved: []byte("reply"), best: Reply{Rcode: 5},
		progress: progress{edns: true, explicit: true, plain: true, redialed: true, done: true, pauses: 1, misses: 1},
	}
	p.reset()
	if p.progress != (progress{}) || len(p.msg)+len(p.tries)+len(p.attempts)+len(p.saved) != 0 || !reflect.DeepEqual(p.best, Reply{}) {
		t.Errorf("reset leaves %+v", p)
	}
	if cap(p.msg) == 0 || cap(p.tries) == 0 || cap(p.attempts) == 0 || cap(p.saved) == 0 {
		t.Error("reset does not keep the memory")
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
