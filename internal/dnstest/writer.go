package dnstest

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/miekg/dns"
)

// A Writer sends what answers one query back to where the query came from, over
// the same transport. Its methods may be called from any goroutine; after the
// server or the connection is closed they do nothing.
type Writer struct {
	s    *Server
	conn *conn                   // nil over UDP
	edit func(msg []byte) []byte // changes each message; nil: as it is
	send func(octets []byte)     // one datagram, or octets onto the stream
}

// Send sends one message, which it does not keep: a datagram, or a frame with
// its length over TCP.
func (w *Writer) Send(msg []byte) {
	m := slices.Clone(msg)
	if w.edit != nil {
		m = w.edit(m)
	}
	if w.conn != nil {
		m = slices.Concat(binary.BigEndian.AppendUint16(nil, uint16(len(m))), m)
	}
	w.send(m)
}

// SendMsg packs m and sends it.
func (w *Writer) SendMsg(m *dns.Msg) {
	m.Compress = true
	msg, err := m.Pack()
	if err != nil {
		w.s.tb.Errorf("dnstest: the scripted reply cannot be packed: %v", err)
		return
	}
	w.Send(msg)
}

// Raw sends octets as they are: a datagram, which may be empty, or octets onto
// the stream without a length before them.
func (w *Writer) Raw(octets []byte) { w.send(octets) }

// Close closes the connection in an orderly way: the client reads what was sent
// and then the end. Over UDP it does nothing.
func (w *Writer) Close() {
	if w.conn != nil {
		w.conn.finish()
	}
}

// Reset aborts the connection: the client gets a reset (RST). Over UDP it does
// nothing.
func (w *Writer) Reset() {
	if w.conn != nil {
		w.conn.reset()
	}
}

// with returns a copy of w that sends through send.
func (w *Writer) with(send func(octets []byte)) *Writer {
	v := *w
	v.send = send
	return &v
}

// sleep waits for d and reports whether the server is still open.
func (s *Server) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.done:
		return false
	}
}
