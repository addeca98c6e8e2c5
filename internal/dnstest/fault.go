package dnstest

import (
	"encoding/binary"
	"net"
	"slices"
	"time"
)

const headerLen = 12

// Edit lets f change each message that h sends; f owns msg and may return it.
func Edit(h Handler, f func(msg []byte, q Request) []byte) Handler {
	return func(w *Writer, q Request) {
		v := *w
		v.edit = func(msg []byte) []byte {
			if msg = f(msg, q); w.edit != nil {
				msg = w.edit(msg)
			}
			return msg
		}
		h(&v, q)
	}
}

// WrongID adds one to the ID of each message that h sends.
func WrongID(h Handler) Handler {
	return Edit(h, func(msg []byte, q Request) []byte { return setID(msg, q.ID()+1) })
}

// NotResponse clears QR in each message that h sends.
func NotResponse(h Handler) Handler {
	return Edit(h, func(msg []byte, _ Request) []byte {
		if len(msg) > 2 {
			msg[2] &^= 0x80
		}
		return msg
	})
}

// OtherQuestion changes the first letter of the name asked in each message that
// h sends. Owner names that point there change with it.
func OtherQuestion(h Handler) Handler {
	return Edit(h, func(msg []byte, _ Request) []byte {
		if len(msg) > headerLen+1 {
			msg[headerLen+1] ^= 1
		}
		return msg
	})
}

// AsAsked puts the client's question in place of the one in each message that h
// sends, where both are as long: for stored messages.
func AsAsked(h Handler) Handler {
	return Edit(h, func(msg []byte, q Request) []byte {
		if end := questionEnd(q.Msg); end > 0 && end == questionEnd(msg) {
			copy(msg[headerLen:], q.Msg[headerLen:end])
		}
		return msg
	})
}

// questionEnd is the offset behind an uncompressed first question, 0 if there
// is none.
func questionEnd(msg []byte) int {
	if len(msg) < headerLen || binary.BigEndian.Uint16(msg[4:]) == 0 {
		return 0
	}
	off := headerLen
	for off < len(msg) && msg[off] != 0 {
		off += 1 + int(msg[off])
	}
	if off+5 > len(msg) {
		return 0
	}
	return off + 5
}

// First cuts each message that h sends to its first n octets.
func First(n int, h Handler) Handler {
	return Edit(h, func(msg []byte, _ Request) []byte { return msg[:min(n, len(msg))] })
}

// WithOPT adds an empty OPT record (EDNS version 0, payload size 1232) to each
// message that h sends.
func WithOPT(h Handler) Handler {
	return Edit(h, func(msg []byte, _ Request) []byte {
		if len(msg) < headerLen {
			return msg
		}
		binary.BigEndian.PutUint16(msg[10:], binary.BigEndian.Uint16(msg[10:])+1)
		return append(msg, 0, 0, 41, 0x04, 0xd0, 0, 0, 0, 0, 0, 0)
	})
}

// FromOtherPort sends what h sends over UDP from another port of the server's
// address. Not on an in-memory network: there use FromSocket.
func FromOtherPort(h Handler) Handler {
	return func(w *Writer, q Request) {
		pc, err := net.ListenUDP("udp", &net.UDPAddr{IP: w.s.Addr().Addr().AsSlice(), Zone: w.s.Addr().Addr().Zone()})
		if err != nil {
			w.s.tb.Errorf("dnstest: %v", err)
			return
		}
		defer pc.Close()
		FromSocket(pc, h)(w, q)
	}
}

// FromSocket sends what h sends over UDP from pc, which stays the caller's. H
// must have sent when it returns.
func FromSocket(pc net.PacketConn, h Handler) Handler {
	return func(w *Writer, q Request) {
		if w.conn == nil {
			w = w.with(func(octets []byte) { pc.WriteTo(octets, net.UDPAddrFromAddrPort(q.From)) })
		}
		h(w, q)
	}
}

// Split writes what h sends over TCP n octets at a time, each in a segment of
// its own, with a pause between them. UDP is as without it.
func Split(n int, pause time.Duration, h Handler) Handler {
	return func(w *Writer, q Request) {
		if w.conn != nil {
			w = w.with(splitter(w, n, pause))
		}
		h(w, q)
	}
}

func splitter(w *Writer, n int, pause time.Duration) func([]byte) {
	return func(octets []byte) {
		for piece := range slices.Chunk(octets, n) {
			w.send(piece)
			if pause > 0 && !w.s.sleep(pause) {
				return
			}
		}
	}
}

// OneWrite writes everything that h sends over TCP in one call when h returns.
// UDP is as without it.
func OneWrite(h Handler) Handler {
	return func(w *Writer, q Request) {
		if w.conn == nil {
			h(w, q)
			return
		}
		var all []byte
		h(w.with(func(octets []byte) { all = append(all, octets...) }), q)
		w.send(all)
	}
}

// CloseAfter lets n octets (the frame's length included) of what h sends over
// TCP pass and then closes the connection. UDP is as without it.
func CloseAfter(n int, h Handler) Handler {
	return func(w *Writer, q Request) {
		if w.conn == nil {
			h(w, q)
			return
		}
		left := n
		h(w.with(func(octets []byte) {
			octets = octets[:min(left, len(octets))]
			left -= len(octets)
			w.send(octets)
			if left == 0 {
				w.Close()
			}
		}), q)
	}
}

// Close closes the connection in an orderly way, see Writer.Close.
func Close(w *Writer, _ Request) { w.Close() }

// Reset aborts the connection, see Writer.Reset.
func Reset(w *Writer, _ Request) { w.Reset() }
