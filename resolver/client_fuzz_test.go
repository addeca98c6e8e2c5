package resolver_test

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/vectors"
	"github.com/dnsq/dnsq/internal/wire"
	"github.com/dnsq/dnsq/resolver"
)

// volley cuts data into datagrams: an octet of which the lowest bit asks for the query's ID and the next one for its question, the length, the datagram.
func volley(data []byte, q dnstest.Request) (datagrams [][]byte) {
	for len(data) >= 2 && len(datagrams) < 50 {
		how, n := data[0], min(int(data[1]), len(data)-2)
		d := bytes.Clone(data[2 : 2+n])
		data = data[2+n:]
		if how&2 != 0 && len(d) >= wire.HeaderLen {
			end, _ := wire.QuestionEnd(q.Msg)
			d = append(append(d[:wire.HeaderLen:wire.HeaderLen], q.Msg[wire.HeaderLen:end]...), d[wire.HeaderLen:]...)
		}
		if how&1 != 0 && len(d) >= 2 {
			binary.BigEndian.PutUint16(d, q.ID())
		}
		datagrams = append(datagrams, d)
	}
	return datagrams
}

// mayAnswer reports whether a client might take d for a reply to q: it is told otherwise by nothing in the header and the question.
func mayAnswer(d []byte, q dnstest.Request) bool {
	if len(d) < wire.HeaderLen || !bytes.Equal(d[:2], q.Msg[:2]) || d[2]&0xF8 != 0x80 {
		return false
	}
	end, _ := wire.QuestionEnd(q.Msg)
	return len(d) == wire.HeaderLen || len(d) >= end && bytes.EqualFold(d[wire.HeaderLen:end], q.Msg[wire.HeaderLen:end])
}

// FuzzClient sends a client any datagrams and then the right reply: it completes once, with the right answer unless one of them could be that.
func FuzzClient(f *testing.F) {
	for _, v := range vectors.Load(f) {
		if msg := v.Message(0); len(msg) < 256 {
			one := append([]byte{1, byte(len(msg))}, msg...)
			f.Add(one)
			f.Add(append([]byte{0, 0, 2, 12}, append(msg[:min(12, len(msg))], one...)...))
			f.Add(bytes.Repeat(one, 3))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		inMemory(t, func(t *testing.T, w *world) { clientSurvives(t, w, data) })
	})
}

func clientSurvives(t *testing.T, w *world, data []byte) {
	var sent [][]byte
	possible := false
	s := w.server(t, dnstest.Transports(func(to *dnstest.Writer, q dnstest.Request) {
		for _, d := range volley(data, q) {
			if mayAnswer(d, q) {
				possible = true
			}
			sent = append(sent, d)
			to.Raw(d)
		}
		dnstest.After(goodAfter, good)(to, q)
	}, good))
	r := w.resolver(t, nil, s.Addr())
	var got []byte
	b := newBatch(1, func(_ int, reply *resolver.Reply, err error) {
		if err != nil {
			t.Errorf("failed: %v", err)
			return
		}
		got = bytes.Clone(reply.Msg)
	})
	b.submit(t, r)
	time.Sleep(time.Minute)
	b.once(t)
	s.Close() // its goroutines no longer write
	a := resolver.Answer{Question: www, Raw: got}
	if addrs, _, _ := a.Addrs(); len(addrs) == 1 && addrs[0].String() == rightAddr || t.Failed() {
		return
	}
	for _, d := range sent {
		if possible && bytes.Equal(d, got) {
			return
		}
	}
	t.Errorf("the answer is %x, which nobody sent or which is no answer", got)
}
